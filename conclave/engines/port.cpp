#include "conclave/engines/port.hpp"

#include <sys/stat.h>

#include <fstream>

namespace conclave::engines {

namespace {

// Two lines, in a file that nobody else can read.
std::string read_credentials(const std::string& path, std::string& user, std::string& password) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0) return "--via-credentials: there is no file " + path;
    if ((facts.st_mode & 077) != 0)
        return "--via-credentials: others can read " + path + ": chmod 600 it";
    std::ifstream file(path);
    std::string more;
    if (!std::getline(file, user) || !std::getline(file, password) || user.empty() ||
        std::getline(file, more))
        return "--via-credentials: " + path + " must have two lines, a user and a password";
    return {};
}

std::string missing_file(std::string_view option, const std::string& path) {
    if (path.empty() || std::ifstream(path)) return {};
    return "--" + std::string(option) + ": " + path + " cannot be read: name a file that can";
}

}  // namespace

std::unique_ptr<Port> open_port(const Access& access, std::string& problem) {
    std::string user, password;
    if (!access.credentials.empty()) problem = read_credentials(access.credentials, user, password);
    for (const auto& [option, path] : {std::pair{"via-ca", access.ca},
                                       {"via-cert", access.certificate},
                                       {"via-cert-key", access.private_key}})
        if (problem.empty()) problem = missing_file(option, path);
    if (problem.empty() && access.certificate.empty() != access.private_key.empty())
        problem = "--via-cert and --via-cert-key belong together: give both, or none";
    if (!problem.empty()) return nullptr;
    return access.via.kind == Kind::etcd
               ? make_etcd(access, std::move(user), std::move(password))
               : make_postgresql(access, std::move(user), std::move(password));
}

}  // namespace conclave::engines

#include "conclave/agent/settings/own_key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

namespace {

[[noreturn]] void refuse_own(const std::string& what, int reason) {
    const std::string remedy =
        geteuid() == 0 ? "let root write there" : "set HOME to a folder of this user";
    refuse("this user's key " + own_key_path() + " cannot be " + what + " (" +
               std::strerror(reason) + "): " + remedy +
               ", or give every node of the group the same --key FILE",
           exit_code::state);
}

wire::Keys or_refuse(std::variant<wire::Keys, wire::KeyRefusal> answer, const std::string& front) {
    if (const auto* refusal = std::get_if<wire::KeyRefusal>(&answer))
        refuse(front + refusal->sentence);
    return std::get<wire::Keys>(std::move(answer));
}

void sync_folder(const std::string& folder) {
    const net::Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened || fsync(opened.get()) != 0) refuse_own("stored", errno);
}

// Several nodes may be the first at the same time: each writes a whole file of its own, and the one
// that gives it the name first is the one whose key all of them read.
void make_own_key(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) refuse_own("made", error.value());
    const std::string draft = path + "." + std::to_string(wire::random_number());
    const auto made = wire::make_key_file(draft);
    if (const auto* refusal = std::get_if<wire::KeyRefusal>(&made)) refuse(refusal->sentence);
    const int named = link(draft.c_str(), path.c_str()) == 0 ? 0 : errno;
    unlink(draft.c_str());
    if (named != 0 && named != EEXIST) refuse_own("made", named);
    sync_folder(folder);
}

}  // namespace

bool uses_own_key(const Config& config) { return config.key.empty() && !config.insecure; }

std::string own_key_path() { return default_state() + "/loopback.key"; }

std::string key_remark(const Config& config) {
    if (!config.key.empty()) return config.key;
    if (config.insecure) return "(none: anybody on the network can take part)";
    return own_key_path() + " (of this user, on this machine only)";
}

wire::Keys read_group_keys(const Config& config, bool make) {
    if (!config.key.empty()) return or_refuse(wire::read_keys(config.key), "--key: ");
    if (config.insecure) return {};
    const auto far = [](const NamedAddress& m) {
        return m.address ? !m.address->is_loopback() : !m.host.empty() && m.host != "localhost";
    };
    if (std::any_of(config.members.begin(), config.members.end(), far))
        refuse(
            "--members names other machines, and --key is missing: make a key with conclave "
            "keygen FILE, or say --insecure");
    const std::string path = own_key_path();
    if (access(path.c_str(), F_OK) != 0) {
        if (!make) return {};
        make_own_key(path);
    }
    return or_refuse(wire::read_keys(path), "this user's ");
}

}  // namespace conclave::agent

// conclave lab: the laboratory as a page, from this program to a browser on this machine, or as
// files for any web server.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "conclave/lab/lab_verbs.hpp"
#include "conclave/lab/pages.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/net/http_server.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::cli {

namespace {

struct LabGiven {
    std::optional<std::uint16_t> port{};  // on 127.0.0.1; 0: any that is free
    std::string folder{};                 // to export to; empty: serve
    bool open = false;
};
constexpr std::uint16_t usual_lab_port = 7680;
constexpr options::Option<LabGiven> lab_options[] = {
    options::once<&LabGiven::port, options::Count<0, 65535>>(
        "port", "port on 127.0.0.1; 0: any that is free", "7680")
        .called("PORT"),
    options::flag<&LabGiven::open>("open", "open the page in a browser"),
    options::once<&LabGiven::folder, options::Path>(
        "export", "write the files there, for any web server, and end")
        .called("DIR")
        .with(options::Hint::folder),
};
constexpr options::OptionGroup<LabGiven> lab_groups[] = {{"", lab_options}};

std::vector<PageFile> pages() {
    const std::string_view bundle = embedded_bundle();
    if (bundle.empty())
        throw Refusal{
            "this conclave-lab was built without the laboratory's pages: build it with "
            "./dev lab, or install the package conclave-lab"};
    auto files = read_bundle(bundle);
    if (!files)
        throw Refusal{"internal error: the laboratory's pages are damaged, build them anew"};
    return *files;
}

int write_files(const std::string& folder) {
    namespace fs = std::filesystem;
    const auto files = pages();
    for (const PageFile& file : files) {
        const fs::path path = fs::path(folder) / file.name;
        std::error_code ignored;
        fs::create_directories(path.parent_path(), ignored);
        std::ofstream out(path, std::ios::binary);
        if (!out.write(file.plain.data(), static_cast<std::streamsize>(file.plain.size())).flush())
            throw Refusal{"--export cannot write '" + path.string() +
                          "': name a folder that exists and may be written to"};
    }
    std::printf("%zu files in %s: any web server can serve them\n", files.size(), folder.c_str());
    return Exit::yes;
}

net::HttpAnswer answer(const std::vector<PageFile>& files, const std::string& path) {
    const std::string name = path == "/" ? "index.html" : path.substr(1);
    for (const PageFile& file : files)
        if (file.name == name)
            return {200, std::string(file.gzipped.empty() ? file.plain : file.gzipped),
                    content_type(name), !file.gzipped.empty()};
    return {404, "there is no such page: the laboratory is at /\n"};
}

// The browser of whoever is at the screen; where there is none, the address that is printed does.
void open_browser(std::string url) {
    std::string program = "xdg-open";
    char* const words[] = {program.data(), url.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0)
        std::fputs("conclave: there is no xdg-open here: open the address by hand\n", stderr);
}

int serve(const LabGiven& given) {
    const auto files = pages();
    net::Loop loop;
    const std::uint16_t port = given.port.value_or(usual_lab_port);
    std::unique_ptr<net::HttpServer> server;
    try {
        server = std::make_unique<net::HttpServer>(
            loop, *net::parse_address("127.0.0.1", port),
            net::HttpServer::Site{[&](const std::string& path) { return answer(files, path); }});
    } catch (const net::Failure&) {
        throw Refusal{"--port " + std::to_string(port) +
                      " is taken: give another one, or 0 for any that is free"};
    }
    const std::string url = "http://" + net::text(server->local()) + "/";
    std::printf("the laboratory is at %s (Ctrl+C ends it)\n", url.c_str());
    std::fflush(stdout);
    std::signal(SIGCHLD, SIG_IGN);  // nobody waits for the browser
    if (given.open) open_browser(url);
    const net::Signals signals(loop, {SIGINT, SIGTERM}, [&](int) { loop.stop(); });
    loop.run();
    return Exit::yes;
}

int run(const LabGiven& given) {
    if (given.folder.empty()) return serve(given);
    if (given.port || given.open)
        throw Refusal{"--export writes files and serves nothing: leave --port and --open out"};
    return write_files(given.folder);
}

}  // namespace

Verb lab_verb() {
    return make_verb(
        {lab_in_laboratory.name,
         lab_in_laboratory.purpose,
         {"conclave lab --open", "conclave lab --port 0", "conclave lab --export public_html/lab"}},
        options::Table<LabGiven>(lab_groups), run);
}

}  // namespace conclave::cli

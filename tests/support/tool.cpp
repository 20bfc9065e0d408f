#include "tests/support/tool.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/paths.hpp"

namespace conclave::tests {

namespace {

std::string command(const std::string& line) {
    std::string whole = "'";
    return whole.append(tool_path).append("' ").append(line);
}

int exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

}  // namespace

Ran run_tool(const std::string& line) {
    const Folder folder;
    const std::string errors = folder / "stderr";
    Ran ran;
    std::FILE* pipe = popen((command(line) + " 2>'" + errors + "' </dev/null").c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
        ran.out.append(buffer.data(), got);
    ran.code = exit_code(pclose(pipe));
    ran.err = read_file(errors);
    return ran;
}

Ran run_on_terminal(const std::string& line) {
    Ran ran;
    int terminal = -1;
    winsize size{.ws_row = 24, .ws_col = 90, .ws_xpixel = 0, .ws_ypixel = 0};
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        execl("/bin/sh", "sh", "-c", command(line).c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    std::array<char, 4096> buffer{};
    for (ssize_t got = 1; got > 0;) {  // reading fails when the other side is gone
        got = read(terminal, buffer.data(), buffer.size());
        if (got > 0) ran.out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(terminal);
    ran.code = exit_code(status);
    return ran;
}

std::vector<std::string> tool_verbs() {
    std::vector<std::string> names;
    for (const std::string& line : lines_of(run_tool("--help").out))
        if (line.starts_with("  ")) names.push_back(line.substr(2, line.find("  ", 2) - 2));
    return names;
}

std::string refusal_of(const std::string& line, int code) {
    const Ran ran = run_tool(line);
    EXPECT_EQ(ran.code, code) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;  // one sentence
    constexpr std::string_view front = "conclave: ";
    if (!ran.err.starts_with(front)) {
        ADD_FAILURE() << line << ": " << ran.err;
        return ran.err;
    }
    return ran.err.substr(front.size(), ran.err.size() - front.size() - 1);
}

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "conclave-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    path_ = pattern;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_file(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace conclave::tests

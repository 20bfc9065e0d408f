// Runs the real tool, as a person or a script would.
#pragma once

#include <string>
#include <vector>

namespace conclave::tests {

struct Ran {
    int code = -1;
    std::string out, err;
};

// `line` is what stands behind the tool's name, in the language of the shell.
Ran run_tool(const std::string& line);
// On a terminal of its own; `out` is what it shows there, stderr included.
Ran run_on_terminal(const std::string& line);

std::vector<std::string> tool_verbs();  // as its --help lists them
// The one sentence with which it must refuse.
std::string refusal_of(const std::string& line, int code = 2);

// A folder for this test alone, gone when it ends.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace conclave::tests

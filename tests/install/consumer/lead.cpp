// A program that leads a group of one, and the installed tool that runs a command: LEAD TOOL
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <conclave/elector.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int count, char** words) {
    if (count < 2) return 2;
    const auto state = std::filesystem::temp_directory_path() / ("lead" + std::to_string(getpid()));
    bool led = false;
    {
        conclave::Elector elector({{"group", "alone"},
                                   {"name", "a"},
                                   {"members", "a"},
                                   {"detect", "300ms"},
                                   {"state", state.string()}});
        for (int i = 0; i < 300 && !led; ++i) {
            pollfd news{elector.fd(), POLLIN, 0};
            poll(&news, 1, 100);
            led = elector.take_news().leads;
        }
    }
    // The guardian is found beside the tool, or there is no such exit code.
    const std::string run = std::string(words[1]) +
                            " run --group alone --name b --expect 1 --when-done leave --state " +
                            state.string() + " -- sh -c 'exit 7'";
    const int status = std::system(run.c_str());
    std::filesystem::remove_all(state);
    return led && WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1;
}

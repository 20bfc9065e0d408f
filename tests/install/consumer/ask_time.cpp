// A program that asks for the time, with two daemons of the installed tool: ASK_TIME TOOL
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <conclave/time_interval.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

pid_t start_daemon(const std::string& tool, const std::string& folder, const std::string& name,
                   const std::string& address) {
    const std::string port = std::to_string(20000 + getpid() % 20000);
    const std::vector<std::string> words{
        tool,      "timed",   "--name",     name,          "--address",
        address,   "--port",  port,         "--broadcast", "127.255.255.255",
        "--clock", "virtual", "--insecure", "--control",   folder + "/" + name + "/timed.sock"};
    std::vector<char*> all;
    for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
        execv(tool.c_str(), all.data());
        _exit(127);
    }
    return pid;
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return 2;
    const auto folder =
        std::filesystem::temp_directory_path() / ("ask_time" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const pid_t daemons[] = {start_daemon(words[1], folder, "a", "127.0.0.31"),
                             start_daemon(words[1], folder, "b", "127.0.0.32")};
    conclave::TimePage page(folder / "a" / "timed.page");
    conclave::TimeInterval now;
    for (int i = 0; i < 300 && now.status != conclave::TimeStatus::synchronised; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        now = page.now();
    }
    std::printf("%s %s\n", std::string(name_of(now.status)).c_str(), page.problem().c_str());
    for (const pid_t pid : daemons) {
        kill(pid, SIGTERM);
        waitpid(pid, nullptr, 0);
    }
    std::filesystem::remove_all(folder);
    const bool narrow = now.latest - now.earliest < std::chrono::seconds(1);
    return now.status == conclave::TimeStatus::synchronised && narrow ? 0 : 1;
}

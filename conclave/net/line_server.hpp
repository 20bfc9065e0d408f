// A socket in the file system that answers lines: one line asks, the answer ends with the
// connection, unless the caller stays to watch.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <list>
#include <string>

#include "conclave/core/time.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::net {

class LineServer {
public:
    struct Answer {
        std::string text{};
        bool watches = false;  // the caller is told again at every change
    };

    // The user and process that ask, as the kernel states them.
    struct Asker {
        uid_t user = static_cast<uid_t>(-1);  // nobody, where the kernel does not say
        bool may_steer() const;               // the user of this process, or root
    };

    // A line whose caller has gone is not answered, and so not obeyed: a process that was stopped
    // must not do afterwards what its caller was told that it did not.
    //
    // Replaces a socket that nobody listens to; only the same user may connect, unless somebody
    // changes the mode of the file. Throws a Failure.
    LineServer(Loop& loop, std::string path,
               std::function<Answer(const std::string&, const Asker&)> answer);
    ~LineServer();
    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;

    bool watched() const;
    void tell_watchers(const std::string& text);

private:
    struct Caller {
        Descriptor socket;
        Asker asker{};
        std::string heard{};
        bool watches = false;
    };
    void accept_caller();
    void serve(Caller& caller);
    void hang_up(const Caller& caller);

    Loop& loop_;
    std::string path_;
    std::function<Answer(const std::string&, const Asker&)> answer_;
    Descriptor listener_;
    std::list<Caller> callers_;
};

// How an asking ended.
enum class Asking : std::uint8_t {
    answered,   // with a line at least
    nobody,     // listens there, or it ended before it answered
    forbidden,  // it listens, and is another user's
    silent      // it listens, and does not answer in time: it is stopped, or hangs
};

// Asks whoever listens behind `path`; calls `hear` with every line until it returns false. The
// first line must come within `patience`; whoever watches waits for the next as long as it takes.
Asking ask_line(const std::string& path, const std::string& line,
                const std::function<bool(const std::string&)>& hear,
                Duration patience = std::chrono::seconds(5));
// Does anybody listen there, whoever it is and whether or not it answers?
bool is_listening(const std::string& path);

}  // namespace conclave::net

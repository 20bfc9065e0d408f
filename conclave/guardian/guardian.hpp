// The guardian: parent of the command's tree, and the one who ends it.
//
// It waits for four things at once: orders of the agent, the agent's death, the end of the tree,
// and the time. The agent's death is what the kernel says about its process; that its orders stop
// coming, or that their socket hangs up, is not death: a paused agent may come back and must find
// that nobody has spoken for it.
//
// It shares the end of the lease with the first process of the tree (leash.hpp), which ends the
// tree by itself as well: at the deadline only one of the two has to be scheduled.
#pragma once

#include <sys/socket.h>

#include "conclave/guardian/contain.hpp"
#include "conclave/guardian/deadline.hpp"
#include "conclave/guardian/death_notices.hpp"

namespace conclave::guardian {

using process::Cause;

class Guardian {
public:
    explicit Guardian(char** words) : words_(words) {}
    int run();

private:
    bool prepare();
    bool begin();
    void hear_renewals();
    void start_tree(const process::Prepare& wanted);
    void wait_once();
    void hear_agent();
    void hear_init();
    void hear_command();
    bool hear_sign();
    bool is_command(const ucred& sender) const;
    void obey(const void* packet, std::size_t size);
    void check_time();
    void finish() const;
    void note_lateness();
    void extend(std::int64_t end_ns) const;
    void keep(const process::Margins& margins);
    bool arm_timers();
    void set_timers();
    void ask_to_stop(Cause cause, std::int64_t kill_at);
    void kill_tree(Cause cause);
    void end();
    void report(const void* packet, std::size_t size, int descriptor = -1) const;
    void tell_init(InitWord::Kind kind, int value) const;
    void open_watchdog(std::int64_t period_ns);

    char** words_;
    Deadline deadline_;
    DeathNotices death_notices_;
    Urgency urgency_;
    Leash* leash_ = nullptr;
    Lateness lateness_;
    Init init_;
    std::int64_t grace_ = 0, stop_ = 0;
    std::int64_t due_ = 0;      // when the own timer rings ...
    std::int64_t look_at_ = 0;  // ... at the latest, to see how late it does
    process::Punctual said_{};
    std::int64_t kill_at_ = 0;    // when it was asked to stop: then it is killed; 0: it was not
    std::int64_t finish_at_ = 0;  // when it was killed: then it is made sure of, again and again
    bool sweeping_ = false;       // its first process said that it ends the others
    int watchdog_ = -1;
    std::int64_t watchdog_ns_ = 0, sign_until_ = 0;
    bool channel_open_ = true, agent_dead_ = false, tree_gone_ = false;
    Cause cause_ = Cause::ended;
    bool decided_ = false;  // the cause is known
    int status_ = 0, error_ = 0;
};

}  // namespace conclave::guardian

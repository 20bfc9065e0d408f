// Proof that the command of a former life is gone.
//
// The lock cannot prove it: the kernel closes the files of a dying first process, and frees the
// lock, before it kills the rest of its PID namespace. So an agent writes down who the first
// process is before its command may begin, in the file NAME.tree, and the next agent watches that
// very process. The first process of a PID namespace is reaped only after every other one in there.
//
// The record is not synchronised to disk: it matters while the machine is up, and what was written
// survives the death of the writer. After a reboot it is about nobody. A record that is missing
// beside a state of a node that stood for election proves nothing.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "conclave/agent/disk/state_folder.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

class FormerTree {
public:
    FormerTree() = default;  // there is none
    // The first process of a tree that is alive or dying; its pidfd.
    FormerTree(net::Descriptor process, pid_t pid) : process_(std::move(process)), pid_(pid) {}
    // Whether anything is left cannot be known: nothing is believed gone for `span`, in which the
    // former lease runs out by itself.
    static FormerTree unknown(Duration span);

    bool gone() const;
    // Readable when it is gone; -1: it is when `until` has come.
    int fd() const { return process_.get(); }
    Time until() const { return until_; }
    pid_t pid() const { return pid_; }  // 0: not known
    // A sentence for operators, while the tree is not gone.
    std::string remark() const;

private:
    net::Descriptor process_;
    pid_t pid_ = 0;
    Time until_{};  // where no process is known
};

class TreeFile {
public:
    TreeFile() = default;  // records nothing: for a node without a command
    // Of one fixed size and overwritten in place, so that a full disk does not matter later. It is
    // open only while it is read or written. `stood`: a former life stood for election, so where
    // there is no record yet, that is taken for lost. Throws a ConfigRefusal.
    TreeFile(StateFolder folder, std::string name, bool stood);

    // The tree of the former life; `lease` is how long its lease may have lasted.
    FormerTree former(Duration lease) const;
    // The first process, before its command may begin. Nothing, or a sentence: then it must not.
    std::optional<std::string> record(pid_t first) const;

private:
    std::optional<StateFolder> folder_{};  // none: nothing is recorded
    std::string name_{};
};

// Why this machine cannot tell whether a process is the one that was recorded; empty: it can.
std::string proc_problem();

}  // namespace conclave::agent

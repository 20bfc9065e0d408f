// The folder with a node's files: NAME.state, NAME.lock, NAME.tree.
//
// It is opened once and checked before anything in it is touched: only its owner, or root, may be
// able to write to it. Every file in it is opened relative to it and must be a regular file of this
// user or root, under one name; no link is followed. So nobody else can make a node that runs as
// root truncate or overwrite another file. It stays open, so that a process that has used up its
// descriptors can still synchronise it.
#pragma once

#include <memory>
#include <string>

#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

class StateFolder {
public:
    // Throws a ConfigRefusal. Copies share the descriptor.
    explicit StateFolder(std::string path);

    struct File {
        net::Descriptor descriptor{};  // none: there is a problem
        int error = 0;                 // errno, if it could not be opened; 0: it is not accepted
        std::string problem{};         // what a sentence says behind the file's name
    };
    // `how`: flags of open(2), but O_TRUNC, which would come before the check.
    File open(const std::string& name, int how) const;

    std::string place(const std::string& name) const { return path_ + "/" + name; }
    int fd() const { return descriptor_->get(); }
    // Why it cannot be written to at present: a sentence. Empty: it can.
    std::string obstacle() const;

private:
    std::string path_;
    std::shared_ptr<const net::Descriptor> descriptor_;
};

// Why nothing could be written to this folder now, as far as can be told without writing: an errno.
// 0: nothing speaks against it.
int writing_problem(int folder);

// " (No space left on device): give --state ..."
std::string disk_reason(int error);

}  // namespace conclave::agent

// A shared cell in an engine: all of it that the lease uses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conclave/engines/via.hpp"
#include "conclave/lease/cell.hpp"

namespace conclave::engines {

struct Access {
    Via via{};
    std::string cell{};         // its name, unique in the engine under this prefix or database
    Duration promise{};         // L of this node: of a cell that nobody has written to yet
    Duration patience{};        // so long one request may take at one endpoint
    std::string credentials{};  // file: user, then password, a line each; empty: none
    std::string ca{};           // file; empty: without TLS
    std::string certificate{}, private_key{};  // files; empty: none
};

struct Outcome {
    bool known = false;         // else nothing is known: a write may have happened, or still may
    std::uint64_t version = 0;  // after it
    std::string value{};
    std::string problem{};  // where nothing is known: a sentence
};

// Each belongs to one thread.
class Port {
public:
    virtual ~Port() = default;
    // The present contents, never older than the call. A cell that is not there is made.
    virtual Outcome read() = 0;
    // Writes if the version is still this one. Either way, the contents afterwards.
    virtual Outcome compare_and_set(std::uint64_t version, const std::string& value) = 0;
    // Waits until the cell has another version than this one, but not longer than `most`. True: it
    // may have changed.
    virtual bool watch(std::uint64_t version, Duration most) = 0;
    // Findings about the engine, for an operator; a sentence each.
    virtual std::vector<std::string> examine() = 0;
};

// Nothing is connected before the first request. Null with a `problem`: a file cannot be used.
std::unique_ptr<Port> open_port(const Access& access, std::string& problem);

std::unique_ptr<Port> make_etcd(const Access& access, std::string user, std::string password);
std::unique_ptr<Port> make_postgresql(const Access& access, std::string user, std::string password);

}  // namespace conclave::engines

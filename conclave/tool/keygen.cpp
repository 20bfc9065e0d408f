// conclave keygen: a new key for the members of a group.
#include <cstdio>
#include <memory>

#include "conclave/tool/verbs.hpp"
#include "conclave/wire/key.hpp"

namespace conclave::cli {

namespace {

int make_key(const std::string& path) {
    if (path.empty())
        throw Refusal{"FILE is missing: name the file to make, as in conclave keygen jobs.key"};
    const auto made = wire::make_key_file(path);
    if (const auto* refused = std::get_if<wire::KeyRefusal>(&made))
        throw Refusal{refused->sentence};
    std::puts((path + " holds a new key: copy it to every member, by a way that others cannot "
                      "read")
                  .c_str());
    return Exit::yes;
}

std::function<int()> prepare_keygen(Command& command) {
    const auto path = std::make_shared<std::string>();
    command.argument("FILE", "the file to make; never one that exists", *path);
    return [path] { return make_key(*path); };
}

}  // namespace

Verb keygen_verb() {
    return {"keygen",
            "makes a key file, with which the members of a group know each other.",
            {"conclave keygen jobs.key"},
            prepare_keygen};
}

}  // namespace conclave::cli

// conclave keygen: a new key for the members of a group.
#include <cstdio>

#include "conclave/tool/tool_verbs.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::cli {

namespace {

struct Keygen {
    std::string path{};
};

int make_key(const Keygen& keygen) {
    if (keygen.path.empty())
        throw Refusal{"FILE is missing: name the file to make, as in conclave keygen jobs.key"};
    const auto made = wire::make_key_file(keygen.path);
    if (const auto* refused = std::get_if<wire::KeyRefusal>(&made))
        throw Refusal{refused->sentence};
    std::puts((keygen.path + " holds a new key: copy it to every member, by a way that others "
                             "cannot read")
                  .c_str());
    return Exit::yes;
}

constexpr options::Option<Keygen> keygen_options[] = {
    options::argument<&Keygen::path>("FILE", "file to make; never one that exists")};
constexpr options::OptionGroup<Keygen> keygen_groups[] = {{"", keygen_options}};

}  // namespace

Verb keygen_verb() {
    return make_verb<Keygen>({"keygen",
                              "makes a key file, by which the members of a group know each other",
                              {"conclave keygen jobs.key"}},
                             keygen_groups, make_key);
}

}  // namespace conclave::cli

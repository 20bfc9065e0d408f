// The key of a group: the file that --key names, or, for groups of this machine alone, a key of the
// user who runs them.
//
// Without --key a node talks over the loopback interface only, which every user of the machine can
// hear and write to. So each user has one key, made on first use in a file that nobody else can
// read: all nodes of one user understand each other, whatever their --state, and those of another
// user do not. --insecure means no key at all.
#pragma once

#include <string>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::agent {

// Is this the key of the user, and not of a file or none?
bool uses_own_key(const Config& config);
// Where the user's key is: loopback.key in the folder where nodes keep their state by default.
std::string own_key_path();
// Which key, for people: the file of --key, this user's own, or none.
std::string key_remark(const Config& config);

// Throws a ConfigRefusal. `make`: the user's own key is made if there is none yet; else there is
// then none in the answer, and nothing is changed.
wire::Keys read_group_keys(const Config& config, bool make);

}  // namespace conclave::agent

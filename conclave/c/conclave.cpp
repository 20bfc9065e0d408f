// The C interface over Elector. No exception leaves it.
#include "conclave/c/conclave.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sstream>

#include "conclave/elector.hpp"

struct conclave_elector {
    conclave_elector(const conclave::Elector::Settings& settings,
                     conclave::LeaderElection::Changed changed,
                     conclave::LeaderElection::Logged log)
        : elector(settings, std::move(changed), std::move(log)) {}
    std::stop_source interrupted;
    conclave::Elector elector;
};

namespace {

using conclave::Leadership;

constexpr int failed = -1;
thread_local std::string last_error;  // NOLINT(*-avoid-non-const-global-variables): errno's way

int fail(const std::string& sentence) {
    last_error = sentence;
    return failed;
}
// An empty sentence: it is done.
int outcome(const std::string& sentence) { return sentence.empty() ? 0 : fail(sentence); }

// A call may run out of memory or of threads: its exception becomes a sentence.
template <class Call>
int guarded(const Call& call) noexcept {
    last_error.clear();
    try {
        return call();
    } catch (const std::exception& problem) {
        return fail(problem.what());
    } catch (...) {
        return fail("internal error: an exception of an unknown type");
    }
}

template <std::size_t N>
void put(char (&field)[N], const std::string& text) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::memcpy(field, text.data(), length);
    field[length] = '\0';
}

// As much of it as the caller knows of.
template <class Struct>
int hand_out(Struct filled, Struct* out) {
    const std::size_t size = out->size;
    if (size < sizeof filled.size)
        return fail("the field size of the struct is " + std::to_string(size) +
                    ": set it to sizeof the struct");
    filled.size = size;
    std::memcpy(out, &filled, std::min(size, sizeof filled));
    return 0;
}

conclave_leadership in_c(const Leadership& now) {
    conclave_leadership filled{};
    filled.size = sizeof filled;
    filled.leads = now.leads ? 1 : 0;
    filled.token = now.token;
    filled.remaining_ns = now.remaining().count();
    filled.deadline_ns = now.leads ? now.deadline.count() : 0;
    put(filled.leader, now.leader);
    put(filled.address, now.address);
    put(filled.value, now.value);
    return filled;
}

conclave_participant in_c(const conclave::Participant& each) {
    conclave_participant filled{};
    put(filled.name, each.name);
    put(filled.address, each.address);
    filled.self = each.self ? 1 : 0;
    filled.leads = each.leads ? 1 : 0;
    filled.alive = each.alive ? 1 : 0;
    filled.witness = each.witness ? 1 : 0;
    filled.healthy = each.healthy ? 1 : 0;
    filled.paused = each.paused ? 1 : 0;
    return filled;
}

// Of a caller that may know fewer fields: those that it does not know are zero.
conclave_options read_options(const conclave_options& given) {
    conclave_options known{};
    if (given.size < sizeof given.size)
        throw conclave::Elector::Refusal("the field size of conclave_options is " +
                                         std::to_string(given.size) +
                                         ": set it to sizeof the struct");
    std::memcpy(&known, &given, std::min(given.size, sizeof known));
    return known;
}

conclave::Elector::Settings read_settings(const conclave_options& options) {
    conclave::Elector::Settings settings;
    for (std::size_t i = 0; i < options.count; ++i) {
        const conclave_setting& each = options.settings[i];
        if (each.name == nullptr || each.value == nullptr)
            throw conclave::Elector::Refusal("setting " + std::to_string(i) +
                                             " has no name or no value: give both");
        settings.emplace_back(each.name, each.value);
    }
    return settings;
}

conclave_elector* open(const conclave_options& options) {
    conclave::LeaderElection::Changed changed;
    if (options.changed != nullptr)
        changed = [options](const Leadership& now) {
            const conclave_leadership filled = in_c(now);
            options.changed(options.context, &filled);
        };
    conclave::LeaderElection::Logged log;
    if (options.log != nullptr)
        log = [options](conclave::LogLevel level, std::string_view line) {
            options.log(options.context, static_cast<int>(level), std::string(line).c_str());
        };
    return std::make_unique<conclave_elector>(read_settings(options), std::move(changed),
                                              std::move(log))
        .release();
}

conclave::Duration limit_of(std::int64_t timeout_ms) {
    constexpr std::int64_t most = 1'000'000'000'000;  // in nanoseconds it still is a number
    if (timeout_ms < 0) return conclave::LeaderElection::for_ever;
    return std::chrono::milliseconds(std::min(timeout_ms, most));
}

}  // namespace

const char* conclave_error() { return last_error.c_str(); }
const char* conclave_version() { return CONCLAVE_VERSION; }

conclave_elector* conclave_open(const conclave_options* options) {
    conclave_elector* opened = nullptr;
    guarded([&] {
        opened = open(read_options(*options));
        return 0;
    });
    return opened;
}

void conclave_close(conclave_elector* elector) { delete elector; }

int conclave_get(const conclave_elector* elector, conclave_leadership* now) {
    return guarded([&] { return hand_out(in_c(elector->elector.leadership()), now); });
}

int conclave_campaign(conclave_elector* elector, int64_t timeout_ms, conclave_leadership* now) {
    return guarded([&] {
        const Leadership reached =
            elector->elector.campaign(elector->interrupted.get_token(), limit_of(timeout_ms));
        if (hand_out(in_c(reached), now) != 0) return failed;
        if (reached.leads) return 1;
        return outcome(elector->elector.failure());
    });
}

void conclave_interrupt(conclave_elector* elector) { elector->interrupted.request_stop(); }

int conclave_resign(conclave_elector* elector, const char* successor) {
    return guarded(
        [&] { return outcome(elector->elector.resign(successor == nullptr ? "" : successor)); });
}
int conclave_publish(conclave_elector* elector, const char* value) {
    return guarded([&] { return outcome(elector->elector.publish(value)); });
}
int conclave_pause(conclave_elector* elector) {
    return guarded([&] { return outcome(elector->elector.pause()); });
}
int conclave_resume(conclave_elector* elector) {
    return guarded([&] { return outcome(elector->elector.resume()); });
}

int conclave_add_member(conclave_elector* elector, const char* entry, int64_t timeout_ms) {
    return guarded(
        [&] { return outcome(elector->elector.add_member(entry, limit_of(timeout_ms))); });
}
int conclave_remove_member(conclave_elector* elector, const char* name, int64_t timeout_ms) {
    return guarded(
        [&] { return outcome(elector->elector.remove_member(name, limit_of(timeout_ms))); });
}
int conclave_replace_member(conclave_elector* elector, const char* name, const char* entry,
                            int64_t timeout_ms) {
    return guarded([&] {
        return outcome(elector->elector.replace_member(name, entry, limit_of(timeout_ms)));
    });
}
int conclave_set_times(conclave_elector* elector, int64_t detect_ms, int64_t heartbeat_ms,
                       int64_t timeout_ms) {
    return guarded([&] {
        if (detect_ms < 0 || heartbeat_ms < 0) return fail("a time is negative: give 0 to keep it");
        return outcome(elector->elector.set_times(limit_of(detect_ms), limit_of(heartbeat_ms),
                                                  limit_of(timeout_ms)));
    });
}
int conclave_force_members(conclave_elector* elector, const char* left, const char* phrase,
                           int64_t timeout_ms) {
    return guarded([&] {
        std::vector<std::string> names;
        std::istringstream list(left);
        for (std::string name; std::getline(list, name, ',');) names.push_back(name);
        return outcome(elector->elector.force_members(names, phrase, limit_of(timeout_ms)));
    });
}

int conclave_participants(const conclave_elector* elector, conclave_participant* list,
                          size_t capacity) {
    return guarded([&] {
        const auto all = elector->elector.participants();
        const std::size_t step = capacity == 0 ? 0 : list->size;
        for (std::size_t i = 0; i < std::min(all.size(), capacity); ++i) {
            auto* each = reinterpret_cast<conclave_participant*>(
                reinterpret_cast<std::byte*>(list) + i * step);
            each->size = step;
            if (hand_out(in_c(all[i]), each) != 0) return failed;
        }
        return static_cast<int>(all.size());
    });
}

int conclave_check(const conclave_elector* elector) {
    return guarded([&] { return outcome(elector->elector.failure()); });
}

int conclave_fd(const conclave_elector* elector) { return elector->elector.fd(); }

int conclave_take_news(conclave_elector* elector, conclave_leadership* now) {
    return guarded([&] { return hand_out(in_c(elector->elector.take_news()), now); });
}

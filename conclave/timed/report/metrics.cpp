// How the daemon stands, as Prometheus reads it.
#include "conclave/core/text.hpp"
#include "conclave/timed/report/clock_check.hpp"

namespace conclave::timed {

namespace {

class Page {
public:
    void head(const std::string& name, const std::string& type, const std::string& help) {
        text += "# HELP conclave_timed_" + name + " " + help + "\n# TYPE conclave_timed_" + name +
                " " + type + "\n";
    }
    void value(const std::string& name, const std::string& number, const std::string& label = {}) {
        text += "conclave_timed_" + name + (label.empty() ? "" : "{" + label + "}") + " " + number +
                "\n";
    }
    void one(const std::string& name, const std::string& help, const std::string& number) {
        head(name, "gauge", help);
        value(name, number);
    }
    std::string text;
};

std::string seconds(std::int64_t ns) {
    std::string digits = std::to_string(ns < 0 ? -ns : ns);
    if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
    return (ns < 0 ? "-" : "") + digits.insert(digits.size() - 9, ".");
}

// A name comes from the network; quote() escapes what would end the label.
std::string member_label(const ClockMemberStatus& member) { return "member=" + quote(member.name); }

// Measurements of a member, in seconds.
std::optional<std::string> known(const ClockMemberStatus& member,
                                 std::optional<std::int64_t> Measured::* what) {
    if (!member.measured || !((*member.measured).*what)) return std::nullopt;
    return seconds(*((*member.measured).*what));
}

template <class Value>
void list_members(Page& page, const DaemonStatus& status, const std::string& name,
                  const std::string& help, const Value& value) {
    page.head(name, "gauge", help);
    for (const ClockMemberStatus& member : status.members)
        if (const std::optional<std::string> known = value(member))
            page.value(name, *known, member_label(member));
}

void list_bound(Page& page, const clock::ErrorBound& bound) {
    page.one("clock_maximum_error_seconds", "What the clock is off by at the most.",
             seconds(bound.total().count()));
    page.head("clock_error_part_seconds", "gauge", "The parts of that error bound.");
    const std::pair<const char*, Duration> parts[] = {{"estimate", bound.estimate},
                                                      {"slew", bound.slew},
                                                      {"visible", bound.visible},
                                                      {"path", bound.path},
                                                      {"growth", bound.growth}};
    for (const auto& [name, value] : parts)
        page.value("clock_error_part_seconds", seconds(value.count()), "part=" + quote(name));
}

}  // namespace

std::string to_metrics(const DaemonStatus& status) {
    Page page;
    page.one("synchronised",
             "1 if other clocks confirm the time of this one, and it is as good as wanted.",
             is_good(status) ? "1" : "0");
    page.one("clocks", "Clocks behind the network's time, this one included.",
             std::to_string(status.clocks));
    page.one("master", "1 if this daemon is the master.", status.master == status.name ? "1" : "0");
    page.one("has_master", "1 if this daemon knows a master.", status.master.empty() ? "0" : "1");
    page.one("term", "Term of the master that is followed.", std::to_string(status.term));
    page.one("clock_drift_ppb", "Usual rate of this machine's clock against the network.",
             std::to_string(status.clock.drift_ppb));
    if (status.clock.bound) list_bound(page, *status.clock.bound);
    list_members(page, status, "member_offset_seconds",
                 "Of the member's clock to the network's time.",
                 [](const ClockMemberStatus& m) { return known(m, &Measured::offset_ns); });
    list_members(page, status, "member_error_seconds", "Of that offset, one standard deviation.",
                 [](const ClockMemberStatus& m) { return known(m, &Measured::error_ns); });
    list_members(page, status, "member_faulty", "1 if the member's clock is not heard.",
                 [](const ClockMemberStatus& m) {
                     return m.measured ? std::optional(std::string(m.faulty.empty() ? "0" : "1"))
                                       : std::nullopt;
                 });
    page.head("dropped_total", "counter", "Datagrams that changed nothing, by reason.");
    for (const auto& [reason, count] : status.dropped)
        page.value("dropped_total", std::to_string(count), "reason=" + quote(reason));
    return page.text;
}

}  // namespace conclave::timed

// The longer forms among the words of a scenario, one reader and one writer each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclave/simulator/scenario/scenario.hpp"

namespace conclave::simulator::forms {

using Written = std::vector<std::string>;

bool read_initiators(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_initiators(const Scenario& scenario);
bool read_order(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_order(const Scenario& scenario);
bool read_graph(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_graph(const Scenario& scenario);
bool read_attribute(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_attributes(const Scenario& scenario);
bool read_setting(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_settings(const Scenario& scenario);

bool read_link(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_links(const Scenario& scenario);
bool read_reordering(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_reordering(const Scenario& scenario);

bool read_recovery(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_recoveries(const Scenario& scenario);
bool read_pause(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_pauses(const Scenario& scenario);
bool read_mishap(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_mishaps(const Scenario& scenario);
bool read_partition(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_partitions(const Scenario& scenario);
bool read_cut(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_cuts(const Scenario& scenario);
bool read_suspicion(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_suspicions(const Scenario& scenario);
bool read_detector(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_detector(const Scenario& scenario);
bool read_clock(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_clocks(const Scenario& scenario);

bool read_scope(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_scope(const Scenario& scenario);
bool read_checks(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_checks(const Scenario& scenario);
bool read_broken(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_broken(const Scenario& scenario);
bool read_cluster(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_cluster(const Scenario& scenario);
bool read_mutation(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_mutation(const Scenario& scenario);
bool read_override(Scenario& scenario, std::string_view value, std::string& remedy);
Written write_overrides(const Scenario& scenario);

}  // namespace conclave::simulator::forms

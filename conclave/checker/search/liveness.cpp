#include "conclave/checker/search/liveness.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <unordered_map>

namespace conclave::checker {

namespace {

// The source of a step: fairness is owed to each link, timer and waiting event on its own.
using Agent = std::uint64_t;

Agent agent_of(const Step& step) {
    const bool message = step.kind == Step::Kind::discard || step.what == 2;
    return std::uint64_t{static_cast<std::uint8_t>(step.kind == Step::Kind::tick)} << 40 |
           std::uint64_t{message} << 39 | std::uint64_t{message ? 0u : step.what} << 32 |
           std::uint64_t{step.node} << 24 | std::uint64_t{step.from} << 16 |
           (message ? 0u : step.which & 0xffff);
}

// Tarjan's components of the worlds without a leader, without recursion.
class Components {
public:
    explicit Components(const StateGraph& graph)
        : graph_(graph), low_(graph.worlds.size()), index_(graph.worlds.size()) {}

    template <class Visit>
    void for_each(const Visit& visit) {
        for (std::uint32_t root = 0; root < graph_.worlds.size(); ++root)
            if (index_[root] == 0 && !graph_.led[root] && walk(root, visit)) return;
    }

private:
    struct Frame {
        std::uint32_t at;
        std::size_t edge;
    };
    template <class Visit>
    bool walk(std::uint32_t root, const Visit& visit) {
        std::vector<Frame> frames{{root, 0}};
        enter(root);
        while (!frames.empty()) {
            auto& [at, edge] = frames.back();
            if (edge < graph_.edges[at].size()) {
                const Edge& e = graph_.edges[at][edge++];
                if (graph_.led[e.to] || e.step.fault) continue;
                if (index_[e.to] == 0) {
                    enter(e.to);
                    frames.push_back({e.to, 0});
                } else if (on_stack_.contains(e.to)) {
                    low_[at] = std::min(low_[at], index_[e.to]);
                }
                continue;
            }
            const std::uint32_t done = at;
            frames.pop_back();
            if (!frames.empty())
                low_[frames.back().at] = std::min(low_[frames.back().at], low_[done]);
            if (low_[done] == index_[done] && visit(leave(done))) return true;
        }
        return false;
    }
    void enter(std::uint32_t at) {
        low_[at] = index_[at] = ++count_;
        stack_.push_back(at);
        on_stack_.insert(at);
    }
    std::set<std::uint32_t> leave(std::uint32_t root) {
        std::set<std::uint32_t> component;
        for (std::uint32_t at;;) {
            at = stack_.back();
            stack_.pop_back();
            on_stack_.erase(at);
            component.insert(at);
            if (at == root) return component;
        }
    }

    const StateGraph& graph_;
    std::vector<std::uint32_t> low_, index_;
    std::vector<std::uint32_t> stack_;
    std::set<std::uint32_t> on_stack_;
    std::uint32_t count_ = 0;
};

std::set<Agent> enabled_at(const StateGraph& graph, std::uint32_t at) {
    std::set<Agent> enabled;
    for (const Edge& edge : graph.edges[at])
        if (!edge.step.fault) enabled.insert(agent_of(edge.step));
    return enabled;
}

// Everybody who could always act does act at some time, or could not act at some time.
bool is_fair(const StateGraph& graph, const std::set<std::uint32_t>& component) {
    std::set<Agent> acting, always;
    bool first = true, inner = false;
    for (const std::uint32_t at : component) {
        const std::set<Agent> enabled = enabled_at(graph, at);
        for (const Edge& edge : graph.edges[at]) {
            if (edge.step.fault || !component.contains(edge.to)) continue;
            inner = true;
            acting.insert(agent_of(edge.step));
        }
        std::set<Agent> both;
        std::set_intersection(always.begin(), always.end(), enabled.begin(), enabled.end(),
                              std::inserter(both, both.begin()));
        always = first ? enabled : both;
        first = false;
    }
    return inner && std::includes(acting.begin(), acting.end(), always.begin(), always.end());
}

// The shortest way within the component from `from` to the begin of a step of `agent`, and that
// step.
std::vector<std::pair<std::uint32_t, std::size_t>> way_to(
    const StateGraph& graph, const std::set<std::uint32_t>& within, std::uint32_t from,
    const std::function<bool(const Edge&)>& goal) {
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::size_t>> came;
    std::deque<std::uint32_t> queue{from};
    came[from] = {from, 0};
    while (!queue.empty()) {
        const std::uint32_t at = queue.front();
        queue.pop_front();
        for (std::size_t e = 0; e < graph.edges[at].size(); ++e) {
            const Edge& edge = graph.edges[at][e];
            if (edge.step.fault || !within.contains(edge.to)) continue;
            if (goal(edge)) {
                std::vector<std::pair<std::uint32_t, std::size_t>> path{{at, e}};
                for (std::uint32_t back = at; back != from; back = came[back].first)
                    path.push_back(came[back]);
                std::reverse(path.begin(), path.end());
                return path;
            }
            if (came.try_emplace(edge.to, at, e).second) queue.push_back(edge.to);
        }
    }
    return {};
}

// A real circle through the component in which everybody owed acts.
void write_circle(const StateGraph& graph, const std::set<std::uint32_t>& component, Lasso& lasso) {
    const std::uint32_t start = *component.begin();
    std::uint32_t at = start;
    const auto walk = [&](const std::function<bool(const Edge&)>& goal) {
        for (const auto& [world, e] : way_to(graph, component, at, goal)) {
            lasso.steps.push_back(graph.edges[world][e].step);
            at = graph.edges[world][e].to;
            lasso.worlds.push_back(graph.worlds[at]);
        }
    };
    const std::size_t before = lasso.steps.size();
    for (const Agent agent : enabled_at(graph, start)) {
        const auto acts = [&](const Edge& edge) { return agent_of(edge.step) == agent; };
        const auto rests = [&](const Edge& edge) {
            return !enabled_at(graph, edge.to).contains(agent);
        };
        if (way_to(graph, component, at, acts).empty())
            walk(rests);  // it cannot act here, so it must be unable to for a while
        else
            walk(acts);
    }
    if (at != start || lasso.steps.size() == before)
        walk([&](const Edge& edge) { return edge.to == start; });
    lasso.circle = lasso.steps.size() - before;
}

void write_prefix(const StateGraph& graph, std::uint32_t to, Lasso& lasso) {
    std::vector<std::uint32_t> path{to};
    while (graph.parent[path.back()] != path.back() && path.back() != 0)
        path.push_back(graph.parent[path.back()]);
    std::reverse(path.begin(), path.end());
    lasso.worlds.push_back(graph.worlds[path.front()]);
    for (std::size_t i = 1; i < path.size(); ++i) {
        for (const Edge& edge : graph.edges[path[i - 1]])
            if (edge.to == path[i]) {
                lasso.steps.push_back(edge.step);
                break;
            }
        lasso.worlds.push_back(graph.worlds[path[i]]);
    }
}

// Is there any circle, with or without a leader? Else no run is endless, and none can be leaderless
// for ever: takes away worlds that nothing leads to until none is left.
bool goes_round(const StateGraph& graph) {
    std::vector<std::uint32_t> ways_in(graph.worlds.size()), free;
    for (const auto& edges : graph.edges)
        for (const Edge& edge : edges) ways_in[edge.to] += !edge.step.fault;
    for (std::uint32_t at = 0; at < ways_in.size(); ++at)
        if (ways_in[at] == 0) free.push_back(at);
    for (std::size_t done = 0; done < free.size(); ++done)
        for (const Edge& edge : graph.edges[free[done]])
            if (!edge.step.fault && --ways_in[edge.to] == 0) free.push_back(edge.to);
    return free.size() < graph.worlds.size();
}

}  // namespace

Lasso find_lasso(const Query& query, Space& space, Duration time_max) {
    Lasso lasso;
    const StateGraph graph = draw_graph(
        space,
        query.states_max == 0 ? lasso_worlds_max : std::min(lasso_worlds_max, query.states_max),
        time_max);
    lasso.complete = graph.complete;
    lasso.states = graph.worlds.size();
    if (!lasso.complete) return lasso;
    for (std::uint32_t at = 0; at < graph.worlds.size() && !lasso.found; ++at) {
        if (!graph.quiet[at]) continue;
        lasso.tested = true;
        if (graph.led[at]) continue;
        lasso.found = true;  // the run is over, and nobody leads
        write_prefix(graph, at, lasso);
    }
    if (lasso.found) return lasso;
    lasso.tested = lasso.tested || goes_round(graph);
    Components(graph).for_each([&](const std::set<std::uint32_t>& component) {
        if (!is_fair(graph, component)) return false;
        lasso.found = true;
        write_prefix(graph, *component.begin(), lasso);
        write_circle(graph, component, lasso);
        return true;
    });
    return lasso;
}

}  // namespace conclave::checker

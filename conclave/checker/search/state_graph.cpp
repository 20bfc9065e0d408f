#include "conclave/checker/search/state_graph.hpp"

#include <chrono>
#include <unordered_map>

namespace conclave::checker {

namespace {

using Wall = std::chrono::steady_clock;

class Drawing {
public:
    explicit Drawing(Space& space) : space_(space) {}

    StateGraph draw(std::uint64_t worlds_max, Duration time_max) {
        const auto start = Wall::now();
        const auto in_time = [&] {
            return time_max == Duration{0} || Wall::now() - start <= time_max;
        };
        if (!space_.first(out_, [&](auto made) { return made <= worlds_max && in_time(); }))
            return std::move(graph_);
        for (std::size_t k = 0; k < out_.size(); ++k) {
            std::vector<std::uint32_t> world(space_.width(), 0);
            out_.apply(k, world.data());
            number(std::move(world), out_.prints[k],
                   static_cast<std::uint32_t>(graph_.worlds.size()));
        }
        for (std::uint32_t at = 0; at < graph_.worlds.size(); ++at) {
            if (graph_.worlds.size() > worlds_max || (at % 1024 == 0 && !in_time()))
                return std::move(graph_);
            expand(at);
        }
        graph_.complete = true;
        return std::move(graph_);
    }

private:
    void expand(std::uint32_t at) {
        const std::vector<std::uint32_t> world = graph_.worlds[at];
        space_.expand(world.data(), graph_.prints[at], false, out_);
        std::vector<Edge> edges;
        for (std::size_t k = 0; k < out_.size(); ++k) {
            std::vector<std::uint32_t> next = world;
            out_.apply(k, next.data());
            edges.push_back({number(std::move(next), out_.prints[k], at), out_.steps[k]});
        }
        graph_.edges.push_back(std::move(edges));
        graph_.quiet.push_back(out_.quiet);
    }
    std::uint32_t number(std::vector<std::uint32_t> world, std::uint64_t print,
                         std::uint32_t parent) {
        const auto [at, fresh] =
            index_.try_emplace(print, static_cast<std::uint32_t>(graph_.worlds.size()));
        if (fresh) {
            graph_.led.push_back(!space_.waits(world.data()));
            graph_.worlds.push_back(std::move(world));
            graph_.prints.push_back(print);
            graph_.parent.push_back(parent);
        }
        return at->second;
    }

    Space& space_;
    StateGraph graph_;
    Successors out_;
    std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

std::string quoted(const std::string& words) {
    std::string result = "\"";
    for (const char letter : words) {
        if (letter == '"' || letter == '\\') result += '\\';
        if (letter == '\n')
            result += "\\n";
        else
            result += letter;
    }
    return result + '"';
}

}  // namespace

StateGraph draw_graph(Space& space, std::uint64_t worlds_max, Duration time_max) {
    return Drawing(space).draw(worlds_max, time_max);
}

std::string to_dot(const StateGraph& graph, const Space& space, const std::string& title) {
    std::string dot = "digraph {\n  label=" + quoted(title) +
                      "\n  node [shape=box fontsize=10]\n  edge [fontsize=9]\n";
    for (std::size_t at = 0; at < graph.worlds.size(); ++at) {
        const bool first = graph.parent[at] == at;
        dot += "  " + std::to_string(at) +
               " [label=" + quoted(space.world_text(graph.worlds[at].data()));
        if (first) dot += " penwidth=2";
        if (graph.quiet[at]) dot += " peripheries=2";
        if (graph.led[at]) dot += " style=filled fillcolor=lightgrey";
        dot += "]\n";
    }
    for (std::size_t at = 0; at < graph.edges.size(); ++at)
        for (const Edge& edge : graph.edges[at]) {
            dot += "  " + std::to_string(at) + " -> " + std::to_string(edge.to) +
                   " [label=" + quoted(space.step_text(edge.step));
            if (edge.step.fault) dot += " style=dashed";
            dot += "]\n";
        }
    return dot + "}\n";
}

}  // namespace conclave::checker

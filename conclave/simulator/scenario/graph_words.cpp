#include "conclave/simulator/scenario/graph_words.hpp"

#include <algorithm>
#include <span>

#include "conclave/core/names.hpp"
#include "conclave/options/forms.hpp"

namespace conclave::simulator {

namespace {

using options::parse_number, options::split_pair, options::split_text;
using Shape = GraphPlan::Shape;
using Link = GraphPlan::Link;

constexpr std::uint32_t graph_nodes_max = 10'000'000;
constexpr std::uint32_t graph_degree_max = 1000;

// Empty, or what is wrong with a link between these two.
std::string read_end(std::string_view text, std::uint32_t& place) {
    const auto number = parse_number<std::uint32_t>(text);
    if (!number || *number < 1 || *number > graph_nodes_max)
        return "'" + std::string(text) + "' is no node, give a number from 1 to " +
               std::to_string(graph_nodes_max);
    place = *number - 1;
    return {};
}

std::string read_link_between(std::string_view a, std::string_view b, std::vector<Link>& into) {
    Link link{};
    std::string problem = read_end(a, link.a);
    if (problem.empty()) problem = read_end(b, link.b);
    if (problem.empty() && link.a == link.b)
        problem = "node " + std::string(a) + " has a link to itself, give two nodes";
    if (problem.empty()) into.push_back(link);
    return problem;
}

// Which link repeats another, in whatever direction.
std::optional<std::size_t> find_repeated(std::span<const Link> links) {
    std::vector<std::pair<Link, std::size_t>> sorted;
    for (std::size_t i = 0; i < links.size(); ++i)
        sorted.push_back({{std::min(links[i].a, links[i].b), std::max(links[i].a, links[i].b)}, i});
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i].first == sorted[i - 1].first) return sorted[i].second;
    return std::nullopt;
}

std::string spell(const Link& link) {
    return std::to_string(link.a + 1) + "-" + std::to_string(link.b + 1);
}

std::optional<GraphPlan> parse_random(std::string_view rest, std::string& remedy) {
    GraphPlan plan;
    if (rest.empty()) return plan;
    const auto pair = split_pair(rest, ":");
    const auto degree = parse_number<std::uint32_t>(pair ? pair->first : rest);
    if (!degree || *degree < 1 || *degree > graph_degree_max) {
        remedy = "give random:DEGREE with 1 to " + std::to_string(graph_degree_max) +
                 " links of a node on average";
        return std::nullopt;
    }
    plan.degree = *degree;
    if (!pair) return plan;
    plan.seed = parse_number<std::uint64_t>(pair->second);
    if (plan.seed) return plan;
    remedy = "give random:DEGREE:SEED, such as random:3:7";
    return std::nullopt;
}

std::optional<GraphPlan> parse_links(std::string_view text, std::string& remedy) {
    GraphPlan plan{.shape = Shape::listed};
    for (const std::string_view each : split_text(text, ',')) {
        const auto pair = split_pair(each, "-");
        if (!pair) return std::nullopt;
        remedy = read_link_between(pair->first, pair->second, plan.links);
        if (!remedy.empty()) return std::nullopt;
    }
    if (const auto again = find_repeated(plan.links)) {
        remedy = "the link " + spell(plan.links[*again]) + " is there twice, give it once";
        return std::nullopt;
    }
    return plan;
}

}  // namespace

std::optional<GraphPlan> parse_graph(std::string_view text, std::string& remedy) {
    if (text == "random") return GraphPlan{};
    if (text.starts_with("random:")) return parse_random(text.substr(7), remedy);
    for (const Shape shape : {Shape::ring, Shape::line, Shape::star, Shape::complete, Shape::grid,
                              Shape::torus, Shape::hypercube})
        if (text == name_of(shape)) return GraphPlan{.shape = shape};
    return parse_links(text, remedy);
}

std::string format_graph(const GraphPlan& plan) {
    if (plan.shape == Shape::random)
        return "random:" + std::to_string(plan.degree) +
               (plan.seed ? ":" + std::to_string(*plan.seed) : "");
    if (plan.shape != Shape::listed) return std::string(name_of(plan.shape));
    std::string list;
    for (const Link& link : plan.links) list += (list.empty() ? "" : ",") + spell(link);
    return list;
}

GraphPlan read_graph_file(std::string_view text, std::string_view name, std::string& problem) {
    GraphPlan plan{.shape = Shape::listed};
    std::vector<std::size_t> lines;  // of each link
    const auto refuse = [&](std::size_t line, const std::string& sentence) {
        problem = std::string(name) + ":" + std::to_string(line) + ": " + sentence;
        return GraphPlan{.shape = Shape::listed};
    };
    std::size_t number = 0;
    for (std::string_view line : split_text(text, '\n')) {
        ++number;
        line = line.substr(0, line.find('#'));
        std::vector<std::string_view> words;
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t begin = line.find_first_not_of(" \t\r", at);
            if (begin == std::string_view::npos) break;
            at = std::min(line.find_first_of(" \t\r", begin), line.size());
            words.push_back(line.substr(begin, at - begin));
        }
        if (words.empty()) continue;
        if (words.size() != 2)
            return refuse(number, "a link has two nodes, give one link a line, such as 1 2");
        if (std::string wrong = read_link_between(words[0], words[1], plan.links); !wrong.empty())
            return refuse(number, wrong);
        lines.push_back(number);
    }
    if (plan.links.empty()) return refuse(number, "there is no link, give lines such as 1 2");
    if (const auto again = find_repeated(plan.links))
        return refuse(lines[*again],
                      "the link " + spell(plan.links[*again]) + " is there twice, give it once");
    return plan;
}

}  // namespace conclave::simulator

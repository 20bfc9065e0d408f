#include "conclave/checker/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "conclave/checker/seen.hpp"

namespace conclave::checker {

namespace {

using Wall = std::chrono::steady_clock;

struct Level {
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> prints;
    std::size_t size() const { return prints.size(); }
    void clear() {
        words.clear();
        prints.clear();
    }
    void add(const std::uint32_t* world, std::size_t width, std::uint64_t print) {
        words.insert(words.end(), world, world + width);
        prints.push_back(print);
    }
};

// How each world was first reached; kept only while a counterexample is being rebuilt.
struct Ancestry {
    struct Link {
        std::uint32_t parent;
        std::uint16_t ordinal;  // among the parent's successors
        bool full;              // they were expanded without reduction
    };
    std::vector<Link> links;
};

class Search {
public:
    Search(const Query& query, const MakeSpace& make_space, const std::vector<Property>& properties,
           const Report& report)
        : query_(query), make_space_(make_space), properties_(properties), report_(report) {}

    Searched run() {
        explore(std::max(1u, query_.threads), nullptr);
        if (!wrong_.property.empty()) {
            const Searched first = result_;
            Ancestry ancestry;
            explore(1, &ancestry);  // the same levels again, remembering who came from whom
            rebuild(ancestry);
            result_ = first;
            result_.found = wrong_;
        }
        return result_;
    }

private:
    struct Worker {
        std::unique_ptr<Space> space;
        Successors successors;
        Level next;
        std::uint64_t transitions = 0, fresh = 0, quiet = 0, visible = 0;
        Found wrong;
    };

    void explore(std::uint32_t threads, Ancestry* ancestry) {
        const auto start = Wall::now();
        ancestry_ = ancestry;
        result_ = {};
        wrong_ = {};
        wrong_at_ = 0;
        workers_ = std::vector<Worker>(threads);
        for (Worker& worker : workers_) worker.space = make_space_();
        width_ = workers_[0].space->width();
        Seen seen(query_.exact, width_);
        seen_ = &seen;
        if (ancestry_ != nullptr) ancestry_->links.clear();
        enter_first();
        while (frontier_.size() != 0 && wrong_.property.empty() && within_limits(start))
            one_level();
        result_.complete = frontier_.size() == 0 && wrong_.property.empty();
        result_.set_bytes = seen.bytes(result_.states);
        result_.seconds = std::chrono::duration<double>(Wall::now() - start).count();
        for (const Worker& worker : workers_) result_.rows_fired |= worker.space->rows_fired();
    }

    bool within_limits(Wall::time_point start) const {
        if (query_.states_max != 0 && result_.states >= query_.states_max) return false;
        return query_.time_max == Duration{0} || Wall::now() - start < query_.time_max;
    }

    void enter_first() {
        Worker& worker = workers_[0];
        frontier_.clear();
        base_ = 0;
        worker.space->first(worker.successors);
        take_in(worker, 0, true);
        settle(worker);
    }

    // In stretches that surely fit into the set, so that it never grows while somebody inserts.
    void one_level() {
        const std::uint64_t begin = base_;
        std::size_t done = 0;
        while (done < frontier_.size()) {
            const std::uint64_t branching =
                2 + 2 * (result_.states == 0 ? 8 : result_.transitions / result_.states);
            const std::size_t stretch = std::min<std::size_t>(frontier_.size() - done, 1 << 18);
            seen_->make_room(result_.states, stretch * branching + 4096);
            run_stretch(done, done + stretch);
            done += stretch;
            if (report_)
                report_({result_.states, result_.transitions, result_.depth, frontier_.size(),
                         seen_->bytes(result_.states)});
        }
        ++result_.depth;
        base_ = begin + frontier_.size();
        frontier_.clear();
        for (Worker& worker : workers_) {
            frontier_.words.insert(frontier_.words.end(), worker.next.words.begin(),
                                   worker.next.words.end());
            frontier_.prints.insert(frontier_.prints.end(), worker.next.prints.begin(),
                                    worker.next.prints.end());
            worker.next.clear();
        }
    }

    void run_stretch(std::size_t begin, std::size_t end) {
        std::atomic<std::size_t> cursor{begin};
        const auto work = [&](Worker& worker) {
            constexpr std::size_t chunk = 512;
            for (std::size_t at; (at = cursor.fetch_add(chunk)) < end;)
                for (std::size_t i = at; i < std::min(at + chunk, end); ++i) expand(worker, i);
        };
        if (workers_.size() == 1 || end - begin < 1024) {
            work(workers_[0]);
        } else {
            std::vector<std::thread> threads;
            for (std::size_t i = 1; i < workers_.size(); ++i)
                threads.emplace_back(work, std::ref(workers_[i]));
            work(workers_[0]);
            for (std::thread& thread : threads) thread.join();
        }
        for (Worker& worker : workers_) settle(worker);
    }

    void expand(Worker& worker, std::size_t i) {
        const std::uint32_t* world = &frontier_.words[i * width_];
        worker.space->expand(world, frontier_.prints[i], query_.reduce, worker.successors);
        // All seen before: the reduced steps may run in a circle and starve the others.
        if (take_in(worker, i, !query_.reduce) == 0 && query_.reduce &&
            worker.successors.size() != 0) {
            worker.space->expand(world, frontier_.prints[i], false, worker.successors);
            take_in(worker, i, true);
        }
        if (worker.successors.quiet) judge(worker, world, true, i);
    }

    std::size_t take_in(Worker& worker, std::size_t parent, bool full) {
        Successors& out = worker.successors;
        worker.transitions += out.size();
        for (const std::uint64_t print : out.prints) seen_->prefetch(print);
        std::size_t fresh = 0;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::uint32_t* world = &out.words[k * width_];
            if (!out.broken[k].empty()) accuse(worker, "invariant", std::string(out.broken[k]));
            if (!seen_->insert(out.prints[k], world)) continue;
            ++fresh;
            worker.next.add(world, width_, out.prints[k]);
            if (ancestry_ != nullptr)
                ancestry_->links.push_back({static_cast<std::uint32_t>(base_ + parent),
                                            static_cast<std::uint16_t>(k), full});
            if (out.steps[k].visible || out.steps[k].what == 0) judge(worker, world, false, 0);
            if (!worker.wrong.property.empty() && ancestry_ != nullptr && wrong_at_ == 0)
                wrong_at_ = ancestry_->links.size();
        }
        worker.fresh += fresh;
        return fresh;
    }

    void judge(Worker& worker, const std::uint32_t* world, bool quiet, std::size_t parent) {
        (quiet ? worker.quiet : worker.visible) += 1;
        for (const Property& property : properties_) {
            if (property.only_quiet != quiet || !worker.wrong.property.empty()) continue;
            const std::string what = property.wrong(*worker.space, world);
            if (what.empty()) continue;
            accuse(worker, property.name, what);
            if (quiet && ancestry_ != nullptr && wrong_at_ == 0) wrong_at_ = base_ + parent + 1;
        }
    }

    static void accuse(Worker& worker, std::string property, std::string what) {
        if (!worker.wrong.property.empty()) return;
        worker.wrong.property = std::move(property);
        worker.wrong.what = std::move(what);
    }

    void settle(Worker& worker) {
        result_.transitions += worker.transitions;
        result_.states += worker.fresh;
        result_.quiet += worker.quiet;
        result_.visible += worker.visible;
        worker.transitions = worker.fresh = worker.quiet = worker.visible = 0;
        if (wrong_.property.empty() && !worker.wrong.property.empty()) wrong_ = worker.wrong;
        if (result_.depth == 0 && frontier_.size() == 0 && worker.next.size() != 0) {
            frontier_ = worker.next;
            worker.next.clear();
        }
    }

    // From the wrong world back to the first, then forward again through the steps taken.
    void rebuild(const Ancestry& ancestry) {
        std::vector<Ancestry::Link> path;
        const std::size_t roots = first_worlds();
        for (std::uint64_t at = wrong_at_ - 1; at >= roots; at = path.back().parent)
            path.push_back(ancestry.links[at]);
        std::reverse(path.begin(), path.end());
        Space& space = *workers_[0].space;
        Successors& out = workers_[0].successors;
        space.first(out);
        const std::size_t root = path.empty() ? wrong_at_ - 1 : path.front().parent;
        std::vector<std::uint32_t> world(
            out.words.begin() + static_cast<std::ptrdiff_t>(root * width_),
            out.words.begin() + static_cast<std::ptrdiff_t>((root + 1) * width_));
        std::uint64_t print = out.prints[root];
        wrong_.worlds.push_back(world);
        for (const Ancestry::Link& link : path) {
            space.expand(world.data(), print, !link.full, out);
            const auto at = static_cast<std::ptrdiff_t>(link.ordinal * width_);
            wrong_.steps.push_back(out.steps[link.ordinal]);
            print = out.prints[link.ordinal];
            world.assign(out.words.begin() + at,
                         out.words.begin() + at + static_cast<std::ptrdiff_t>(width_));
            wrong_.worlds.push_back(world);
        }
    }
    std::size_t first_worlds() {
        workers_[0].space->first(workers_[0].successors);
        return workers_[0].successors.size();
    }

    const Query& query_;
    const MakeSpace& make_space_;
    const std::vector<Property>& properties_;
    const Report& report_;
    std::vector<Worker> workers_;
    std::size_t width_ = 0;
    Seen* seen_ = nullptr;
    Level frontier_;
    std::uint64_t base_ = 0;  // number of the frontier's first world
    Ancestry* ancestry_ = nullptr;
    std::uint64_t wrong_at_ = 0;  // number of the wrong world, plus one
    Found wrong_;
    Searched result_;
};

}  // namespace

Searched search(const Query& query, const MakeSpace& make_space,
                const std::vector<Property>& properties, const Report& report) {
    return Search(query, make_space, properties, report).run();
}

}  // namespace conclave::checker

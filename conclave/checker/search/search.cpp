#include "conclave/checker/search/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <unordered_set>

#include "conclave/checker/search/level.hpp"
#include "conclave/checker/search/memory.hpp"
#include "conclave/checker/search/seen.hpp"

namespace conclave::checker {

namespace {

using Wall = std::chrono::steady_clock;

class Search {
public:
    Search(const Query& query, const MakeSpace& make_space, const std::vector<Property>& properties,
           const Report& report, std::uint64_t depth_max)
        : query_(query),
          make_space_(make_space),
          properties_(properties),
          report_(report),
          depth_max_(depth_max) {}

    Searched run() {
        explore(std::max(1u, query_.threads), nullptr);
        if (!wrong_.property.empty() && sound()) {
            const Searched first = result_;
            Ancestry ancestry;
            explore(1, &ancestry);  // the same levels again, remembering who came from whom
            rebuild(ancestry);
            result_ = first;
            result_.found = wrong_;
            result_.found.shortest = !query_.reduce || wrong_.steps.empty();
        }
        return result_;
    }

private:
    struct alignas(64) Worker {
        std::unique_ptr<Space> space;
        Successors successors;
        Level next;
        std::vector<std::uint64_t> next_keys;  // of those, where steps are reduced
        std::vector<std::uint32_t> whole;      // room for a world
        std::vector<std::size_t> postponed;    // there was no room for their successors
        std::vector<std::size_t> barren;       // all their reduced successors had been seen
        std::uint64_t allowance = 0;           // it may insert so many more
        std::uint64_t transitions = 0, fresh = 0, tested = 0;
        Found wrong;
        bool wrong_stays = false;  // it is wrong where it ends: a step less than a successor
    };

    void explore(std::uint32_t threads, Ancestry* ancestry) {
        start_ = Wall::now();
        ancestry_ = ancestry;
        result_ = {};
        wrong_ = {};
        wrong_stays_ = false;
        workers_ = std::vector<Worker>(threads);
        for (Worker& worker : workers_) worker.space = make_space_();
        width_ = workers_[0].space->width();
        for (Worker& worker : workers_) worker.whole.resize(width_);
        rotates_ = query_.rotate && workers_[0].space->symmetric() && !names_matter();
        Seen seen(query_.exact, width_);
        seen_ = &seen;
        if (ancestry_ != nullptr) ancestry_->links.clear();
        enter_first();
        while (frontier_.size() != 0 && wrong_.property.empty() && result_.depth < depth_max_ &&
               within_limits(result_.states))
            one_level();
        result_.outgrown = workers_[0].space->outgrown();
        if (result_.outgrown.empty() && frontier_.size() != 0 && outgrows_memory())
            result_.outgrown = "it takes more than " + std::to_string(memory_max_ >> 20) +
                               " MB of memory: give --ticks, fewer nodes or fewer faults";
        result_.complete =
            frontier_.size() == 0 && wrong_.property.empty() && !result_.crowded && sound();
        result_.set_states = result_.states;
        result_.set_bytes = seen.bytes(result_.states);
        result_.seconds = std::chrono::duration<double>(Wall::now() - start_).count();
        for (const Worker& worker : workers_) result_.rows_fired |= worker.space->rows_fired();
    }

    // Worlds that differ by a rotation are alike for all properties but this.
    bool names_matter() const {
        return std::any_of(properties_.begin(), properties_.end(),
                           [](const Property& property) { return property.name == "best"; });
    }

    // Else some steps were left out or made up, and whatever comes out is wrong.
    bool sound() const {
        return !workers_[0].space->clock_read() && workers_[0].space->outgrown().empty();
    }

    // Not while a counterexample is rebuilt: it is known to be there.
    bool within_limits(std::uint64_t states) const {
        if (ancestry_ != nullptr) return true;
        if (!sound() || outgrows_memory()) return false;
        if (query_.states_max != 0 && states >= query_.states_max) return false;
        return query_.time_max == Duration{0} || Wall::now() - start_ < query_.time_max;
    }

    // Asked between stretches, so what one stretch adds must fit beside the limit.
    bool outgrows_memory() const { return resident_bytes() > memory_max_; }

    void enter_first() {
        Worker& worker = workers_[0];
        frontier_.clear();
        base_ = 0;
        const std::vector<std::uint32_t> zeros(width_, 0);
        result_.crowded = !worker.space->first(
            worker.successors, [&](std::uint64_t made) { return within_limits(made); });
        open_room(worker.successors.size());
        take_in(worker, zeros.data(), 0, Link::How::first);
        settle(worker);
        frontier_.append(worker.next);
        worker.next_keys.clear();
    }

    // In stretches, so that the set grows when nobody inserts, and limits are heeded. Left before
    // its end, the level is still there.
    void one_level() {
        std::size_t done = 0;
        const auto waits = [](const Worker& worker) { return !worker.postponed.empty(); };
        while (done < frontier_.size() || std::any_of(workers_.begin(), workers_.end(), waits)) {
            if (done != 0 && !within_limits(result_.states)) return;
            run_stretch(done, std::min(frontier_.size(), done + (std::size_t{1} << 18)));
            if (report_)
                report_({result_.states, result_.transitions, result_.depth, frontier_.size(),
                         seen_->bytes(result_.states),
                         std::chrono::duration<double>(Wall::now() - start_).count()});
        }
        revive_barren();
        ++result_.depth;
        base_ += frontier_.size();
        frontier_.clear();
        for (Worker& worker : workers_) {
            frontier_.append(worker.next);
            worker.next_keys.clear();
        }
    }

    static constexpr std::uint64_t block = 256;  // is allotted at once
    void open_room(std::uint64_t least) {
        room_ = static_cast<std::int64_t>(
            seen_->make_room(result_.states, std::max(least, block * workers_.size())));
        for (Worker& worker : workers_) worker.allowance = 0;
    }
    // Room for so many more, taken from what all share; false: the set must grow first.
    bool may_insert(Worker& worker, std::uint64_t count) {
        if (worker.allowance < count) {
            const std::uint64_t more = std::max(count, block);
            if (room_.fetch_sub(static_cast<std::int64_t>(more)) < static_cast<std::int64_t>(more))
                return false;
            worker.allowance += more;
        }
        return true;
    }

    // Expands from `done` on, as far as there is room; whom the lack of room strikes comes first in
    // the next stretch.
    void run_stretch(std::size_t& done, std::size_t end) {
        open_room(std::uint64_t{1} << 14);
        for (Worker& worker : workers_)
            for (const std::size_t i : std::exchange(worker.postponed, {}))
                while (!expand(worker, i)) {
                    settle(worker);
                    open_room(worker.successors.size());
                }
        std::atomic<std::size_t> cursor{done};
        std::atomic<bool> full{false};
        const auto work = [&](Worker& worker) {
            constexpr std::size_t chunk = 32;
            for (std::size_t at; !full && (at = cursor.fetch_add(chunk)) < end;)
                for (std::size_t i = at; i < std::min(at + chunk, end); ++i)
                    if (full || !expand(worker, i)) {
                        full = true;
                        worker.postponed.push_back(i);
                    }
        };
        if (workers_.size() == 1 || end - done < 64) {
            work(workers_[0]);
        } else {
            std::vector<std::thread> threads;
            for (std::size_t i = 1; i < workers_.size(); ++i)
                threads.emplace_back(work, std::ref(workers_[i]));
            work(workers_[0]);
            for (std::thread& thread : threads) thread.join();
        }
        done = std::min<std::size_t>(cursor, end);
        for (Worker& worker : workers_) settle(worker);
    }

    bool expand(Worker& worker, std::size_t i) {
        const std::uint32_t* world = &frontier_.words[i * width_];
        worker.space->expand(world, frontier_.prints[i], query_.reduce, worker.successors);
        if (!may_insert(worker, worker.successors.size())) return false;
        if (take_in(worker, world, i, query_.reduce ? Link::How::reduced : Link::How::full) == 0 &&
            query_.reduce && worker.successors.size() != 0 && !worker.successors.onward)
            worker.barren.push_back(i);
        if (worker.successors.quiet)
            ask(worker, world, true, {static_cast<std::uint32_t>(base_ + i), 0, Link::How::stay});
        return true;
    }

    // Reduced steps that only lead to worlds seen in earlier levels may run in a circle and starve
    // the others, so there all steps are taken. Seen in this level does no harm, and who saw it
    // first must make no difference: so this is decided when the level is complete.
    void revive_barren() {
        std::vector<std::size_t> all;
        std::unordered_set<std::uint64_t> fresh;
        for (Worker& worker : workers_) {
            all.insert(all.end(), worker.barren.begin(), worker.barren.end());
            worker.barren.clear();
        }
        if (all.empty()) return;
        for (Worker& worker : workers_)
            fresh.insert(worker.next_keys.begin(), worker.next_keys.end());
        Worker& worker = workers_[0];
        for (const std::size_t i : all) {
            const std::uint32_t* world = &frontier_.words[i * width_];
            worker.space->expand(world, frontier_.prints[i], true, worker.successors);
            bool leads_on = false;
            for (std::size_t k = 0; k < worker.successors.size(); ++k)
                leads_on = leads_on || fresh.contains(key_for(worker, world, k));
            if (leads_on) continue;
            worker.space->expand(world, frontier_.prints[i], false, worker.successors);
            if (!may_insert(worker, worker.successors.size())) {
                settle(worker);
                open_room(worker.successors.size());
                may_insert(worker, worker.successors.size());
            }
            take_in(worker, world, i, Link::How::full);
        }
        settle(worker);
    }

    // The fingerprint of the successor in the set; where worlds are kept whole, it is in `whole`.
    std::uint64_t key_for(Worker& worker, const std::uint32_t* parent, std::size_t k) {
        const Successors& out = worker.successors;
        if (!rotates_ && !query_.exact) return out.prints[k];
        std::copy(parent, parent + width_, worker.whole.begin());
        out.apply(k, worker.whole.data());
        if (!rotates_) return out.prints[k];
        const std::vector<std::uint32_t> world = worker.whole;
        return worker.space->stand_in(world.data(), worker.whole.data());
    }

    std::size_t take_in(Worker& worker, const std::uint32_t* parent, std::size_t index,
                        Link::How how) {
        Successors& out = worker.successors;
        worker.transitions += out.size();
        for (const std::uint64_t print : out.prints) seen_->prefetch(print);
        std::size_t fresh = 0;
        for (std::size_t k = 0; k < out.size(); ++k) {
            const bool is_first = how == Link::How::first;  // of which there may be many
            const Link link{static_cast<std::uint32_t>(is_first ? k : base_ + index),
                            static_cast<std::uint16_t>(k), how};
            if (!out.broken[k].empty())
                accuse(worker, "invariant", std::string(out.broken[k]), link);
            const std::uint64_t key = key_for(worker, parent, k);
            if (!seen_->insert(key, worker.whole.data())) continue;
            ++fresh;
            std::uint32_t* const world = worker.next.add(parent, width_, out.prints[k]);
            out.apply(k, world);
            if (query_.reduce) worker.next_keys.push_back(key);
            if (ancestry_ != nullptr) ancestry_->links.push_back(link);
            if (out.steps[k].visible || is_first) ask(worker, world, false, link);
        }
        worker.fresh += fresh;
        worker.allowance -= std::min<std::uint64_t>(worker.allowance, fresh);
        return fresh;
    }

    void ask(Worker& worker, const std::uint32_t* world, bool quiet, const Link& link) {
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            const Property& property = properties_[i];
            if (property.only_quiet != quiet || !is_news(worker, link)) continue;
            const std::uint64_t bit = std::uint64_t{1} << i;
            if ((worker.tested & bit) == 0 && property.at_stake(worker.space->view(world)))
                worker.tested |= bit;
            const std::string what = property.wrong(*worker.space, world);
            if (!what.empty()) accuse(worker, property.name, what, link);
        }
    }

    // The first counterexample, or a shorter one.
    static bool is_news(const Worker& worker, const Link& link) {
        return worker.wrong.property.empty() ||
               (!worker.wrong_stays && link.how == Link::How::stay);
    }

    void accuse(Worker& worker, std::string property, std::string what, const Link& link) {
        if (!is_news(worker, link)) return;
        worker.wrong.property = std::move(property);
        worker.wrong.what = std::move(what);
        worker.wrong_stays = link.how == Link::How::stay;
        if (ancestry_ != nullptr) wrong_link_ = link;
    }

    void settle(Worker& worker) {
        result_.transitions += worker.transitions;
        result_.states += worker.fresh;
        result_.tested |= worker.tested;
        worker.transitions = worker.fresh = 0;
        if (worker.wrong.property.empty()) return;
        if (!wrong_.property.empty() && (wrong_stays_ || !worker.wrong_stays)) return;
        wrong_ = worker.wrong;
        wrong_stays_ = worker.wrong_stays;
    }

    // From the wrong world back to the first, then forward again through the steps taken.
    void rebuild(const Ancestry& ancestry) {
        std::vector<Link> path;
        Link link = wrong_link_;
        if (link.how == Link::How::stay) link = ancestry.links[link.parent];
        for (; link.how != Link::How::first; link = ancestry.links[link.parent])
            path.push_back(link);
        Space& space = *workers_[0].space;
        Successors& out = workers_[0].successors;
        std::vector<std::uint32_t> world(width_, 0);
        space.first(out, [](std::uint64_t) { return true; });
        out.apply(link.parent, world.data());
        std::uint64_t print = out.prints[link.parent];
        wrong_.worlds.push_back(world);
        for (; !path.empty(); path.pop_back()) {
            link = path.back();
            space.expand(world.data(), print, link.how == Link::How::reduced, out);
            out.apply(link.ordinal, world.data());
            print = out.prints[link.ordinal];
            wrong_.steps.push_back(out.steps[link.ordinal]);
            wrong_.worlds.push_back(world);
        }
    }

    // A quarter of what is available is left for the next stretch and for other programs. Where the
    // system does not say (a browser), nothing is resident either, and there is no limit.
    const std::uint64_t memory_max_ = resident_bytes() + available_bytes() / 4 * 3;
    const Query& query_;
    const MakeSpace& make_space_;
    const std::vector<Property>& properties_;
    const Report& report_;
    std::uint64_t depth_max_;
    std::vector<Worker> workers_;
    std::size_t width_ = 0;
    bool rotates_ = false;
    Wall::time_point start_{};
    std::atomic<std::int64_t> room_{0};  // in the set, not yet allotted to a worker
    Seen* seen_ = nullptr;
    Level frontier_;
    std::uint64_t base_ = 0;  // number of the frontier's first world
    Ancestry* ancestry_ = nullptr;
    Link wrong_link_{};  // how the wrong world was reached, if ancestry is kept
    Found wrong_;
    bool wrong_stays_ = false;
    Searched result_;
};

constexpr std::uint64_t any_depth = ~std::uint64_t{0};

// A reduced search may have found a detour: looks at all shorter runs, as far as the limits and
// reason allow.
void shorten(Query query, const MakeSpace& make_space, const std::vector<Property>& properties,
             const Report& report, Searched& result) {
    const std::uint64_t enough = std::max<std::uint64_t>(1'000'000, 2 * result.states);
    const auto spent =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double>(result.seconds));
    if (query.states_max != 0 && query.states_max <= result.states) return;
    if (query.time_max != Duration{0} && query.time_max <= spent) return;
    query.states_max =
        query.states_max == 0 ? enough : std::min(enough, query.states_max - result.states);
    if (query.time_max != Duration{0}) query.time_max -= spent;
    query.reduce = false;
    const std::uint64_t length = result.found.steps.size();
    Searched full = Search(query, make_space, properties, report, length).run();
    const bool found = !full.found.property.empty();
    if (found && full.found.steps.size() < length) result.found = std::move(full.found);
    result.found.shortest = found || full.complete || full.depth == length;
}

}  // namespace

Searched search(const Query& query, const MakeSpace& make_space,
                const std::vector<Property>& properties, const Report& report) {
    Searched result = Search(query, make_space, properties, report, any_depth).run();
    if (query.shortest && !result.found.property.empty() && !result.found.shortest)
        shorten(query, make_space, properties, report, result);
    return result;
}

}  // namespace conclave::checker

// A master's work: probes its slaves, decides the network's time, corrects.
//
// A probe carries the slave's correction, its answer when it came and went by the slave's raw
// clock. The kernel's stamp of an answer is known only when that has left, so the next answer
// carries it: an exchange is complete one probe later. New slaves are probed eight times a second
// for ten seconds, then once a round.
//
// The first packet after a pause finds cold caches all along its way and is microseconds longer
// under way than its answer, always to the same side, so no estimator can see it. Therefore up to
// eight slaves are probed in one go, at a phase of their own, and a packet goes ahead of them.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>

#include "conclave/clock/master.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/timed/timepiece.hpp"
#include "conclave/wire/tsp_trailer.hpp"

namespace conclave::timed {

using Probe = wire::TspTrailer::Probe;
using Answer = wire::TspTrailer::Answer;

class Reign {
public:
    struct Stage {
        virtual void go_ahead(Id slave) = 0;  // the way to it shall be warm
        // Returns the sequence of the datagram, by which its stamp will be known.
        virtual std::uint64_t send_probe(Id slave, const Probe& probe, bool deputy) = 0;
        virtual void lose(Id slave) = 0;  // it does not answer any more
        virtual void resign() = 0;        // the master's own clock is wrong
        virtual void lead(const clock::Correction& correction) = 0;  // of the master's own clock

    protected:
        ~Stage() = default;
    };

    Reign(net::Loop& loop, Id me, const Timepiece& timepiece, const clock::Keeper& keeper,
          Duration round, double scale, std::uint64_t seed, Stage& stage);

    // The slaves to probe from now on, in order.
    void set_slaves(const std::vector<Id>& slaves);
    void set_deputy(Id slave) { deputy_ = slave; }
    // A slave misses its probes, and says so.
    void probe_now(Id slave);
    // A slave was started anew: what is known of its clock is void.
    void forget(Id slave);

    // The datagram with this sequence left at this time, by CLOCK_REALTIME.
    void note_sent(std::uint64_t sequence, Time stamp);
    // True if this answers a probe of this reign.
    bool hear(Id slave, const Answer& answer, Time returned, bool stamped);
    void move(Duration by);         // the network's time, slewing: the mean of other clocks
    void change_date(Duration by);  // ... stepping: an operator's wish

    // Another master has so many clocks behind it: see clock::Master.
    bool gives_way_to(Id rival, std::uint32_t clocks) {
        return master_.gives_way_to(rival, clocks, timepiece_.raw_now());
    }
    bool quits_for(Id rival, std::uint32_t clocks) {
        return master_.quits_for(rival, clocks, timepiece_.raw_now());
    }

    const clock::Master& master() const { return master_; }
    bool uses_kernel(Id slave) const;

private:
    struct Waiting {
        std::uint32_t number = 0;
        clock::Exchange exchange{};
        clock::Report report{};
        bool stamped = false;
    };
    struct Slave {
        Time phase{}, due{}, heard{};
        std::uint32_t number = 0, quick = 0;  // so many more quick ones
        std::uint64_t sequence = 0;           // of the probe under way
        bool under_way = false, asked_stamped = false, stamped = false;
        Time asked{};
        std::optional<Waiting> waiting{};  // for the kernel's stamp of its answer
    };
    Time choose_phase(Time now);
    void ring();
    void probe(Id id, Slave& slave);
    void decide();
    void learn(Id id, Slave& slave);
    void tell_everybody();

    net::Loop& loop_;
    const Timepiece& timepiece_;
    const clock::Keeper& keeper_;
    Duration round_, decide_every_;
    Stage& stage_;
    std::mt19937_64 chance_;
    clock::Master master_;
    Id deputy_ = nobody;
    Time newest_phase_{};
    std::map<Id, Slave> slaves_;
    std::set<std::pair<Time, Id>> agenda_;
    std::map<std::uint64_t, Id> sequences_;       // of probes under way
    std::pair<std::uint64_t, Time> unclaimed_{};  // a stamp may come before its send returns
    net::Alarm probing_, deciding_;
};

}  // namespace conclave::timed

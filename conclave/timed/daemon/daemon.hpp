// The time daemon: the election of TEMPO on TSP datagrams, and the clocks behind it.
//
// daemon.cpp hosts the election; daemon_receiving.cpp and daemon_sending.cpp handle datagrams. As a
// slave the daemon obeys a master (daemon_slave.cpp), as the master it corrects the others
// (daemon_master.cpp) and makes sure that it is the only one (daemon_rivals.cpp). daemon_times.cpp
// chooses between our times and those of BSD timed, daemon_date.cpp changes the network's date,
// daemon_tools.cpp answers timedc, daemon_warnings.cpp reports what an operator has to repair,
// daemon_status.cpp the state of everything.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "conclave/net/log.hpp"
#include "conclave/page/content.hpp"
#include "conclave/timed/daemon/bsd_round.hpp"
#include "conclave/timed/daemon/differences.hpp"
#include "conclave/timed/daemon/gate.hpp"
#include "conclave/timed/daemon/peer_table.hpp"
#include "conclave/timed/daemon/reign.hpp"
#include "conclave/timed/daemon/sending.hpp"
#include "conclave/timed/daemon/sockets.hpp"
#include "conclave/timed/daemon/tempo_host.hpp"
#include "conclave/timed/report/time_status.hpp"

namespace conclave::timed {

class Daemon final : private Sockets::Hearer,
                     private TempoHost::Stage,
                     private Reign::Stage,
                     private BsdRound::Stage {
public:
    // Throws a net::Failure.
    Daemon(net::Loop& loop, const DaemonConfig& config, const wire::Keys& keys);
    ~Daemon();
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    void start();
    DaemonStatus status() const;
    // How wrong this machine's clock may be now, and how far that can be relied on: what is told to
    // the kernel, to operators and to programs.
    clock::ErrorBound error_bound() const;
    clock::Trust trust() const;
    // The same for programs (conclave/time_interval.hpp).
    page::Content page_content() const;
    // The usual rate of this machine's clock, for the drift file; nothing: not known yet.
    std::optional<clock::Rate> drift() const;
    void remember_drift(clock::Rate rate) { keeper_.remember(timepiece_->raw_now(), rate); }
    // Lets the network's time be later by this. A refusal is a sentence; otherwise date_report
    // tells how it goes.
    std::string ask_for_date(Duration by);
    struct DateReport {
        enum State : std::uint8_t { waits, done, failed } state = waits;
        std::string text{};
        Duration by{};
    };
    DateReport date_report() const;
    // The network's time, as far as this daemon knows it.
    Time network_now() const;
    // Hands the mastership over, and does not take it back for a minute. A refusal is a sentence.
    std::string hand_over();
    std::function<void()> on_change = [] {};  // the state, the master, or the trust

private:
    using Type = wire::TspDatagram::Type;
    using Message = TempoHost::Message;
    using Body = wire::TspTrailer::Body;
    using Reigns = wire::TspTrailer::Reigns;
    using Change = wire::TspTrailer::Change;

    // The request that is being answered.
    struct Request {
        net::Address from{};
        Time stamp{};
        bool stamped = false;
        std::size_t length = 0;
        Heard heard{};
    };

    std::uint32_t clocks() const;  // behind the time, this one included
    Duration patience() const;     // so long after the last word another daemon is there
    bool is_member(const Peer& peer) const;
    ClockMemberStatus member_status(const Peer& peer) const;

    // Receiving
    void arrived(const Arrival& arrival) override;
    void sent(Input frame, Time stamp) override;
    void drop(Reason reason) { ++dropped_[std::string(reason)]; }
    Peer* recognise(const Request& request);
    void note_kind(Peer& peer, const Request& request);
    void dispatch(Peer& peer, const Request& request);
    bool repeated(Peer& peer, const Request& request);
    void hear(const Peer& peer, const Request& request, const Message& message);
    void set_timing();
    void hear_bsd(const Peer& peer);
    void hear_of_bsd(const Peer& peer);
    bool hears_bsd() const;
    void use_bsd_times(Time until, const std::string& why);
    void use_own_times();

    // Sending
    std::uint64_t transmit(const net::Address& to, const wire::TspDatagram& datagram,
                           const Body& body = {}, bool deputy = false);
    void transmit_plain(const net::Address& to, const wire::TspDatagram& datagram,
                        std::size_t most = wire::TspDatagram::length);
    void answer(const Request& request, Type type, std::uint16_t number);
    void say_once(Id to, Type type, std::uint8_t hops = 0);
    void say_reliably(Id to, Type type, Duration delay = {}, Duration time = {});
    void sending_ended(const Sending::Ended& ended);
    net::Address address_of(Id id) const;

    // The election
    void send(Id to, const Message& message) override;
    void turned() override;
    void plead() override;
    bool may_lead() const override;
    bool ask(Id master) override;
    void announce();

    // Faults that an operator has to repair
    void hear_namesake(const net::Address& from);
    void watch_address(const std::string& name, const net::Address& from);
    void hear_foreigner(Reason reason, const net::Address& from);
    void warn(const std::string& cause, const std::string& sentence);
    std::vector<std::string> warnings() const;

    // Rivals and orphans
    bool must_quit_for(const Peer& peer, const Request& request);  // its side is larger
    bool may_quit_for(const Peer& peer, const Request& request);   // its side is no smaller
    bool has_slaves() const;
    void hear_quit(Peer& peer, const Request& request);
    void hear_rival(Peer& peer, const Request& request);
    void look_around();
    void note_unwanted();
    void lose_master(const Peer& master);
    void seek_master();
    void call_master();
    void abstain();

    // As a slave
    void hear_adjustment(Peer& peer, const Request& request);
    void hear_probe(Peer& peer, const Request& request, const Probe& probe);
    void make_up(const Peer& peer, Duration by, bool sets);
    bool too_early(const std::string& who, Time told);
    void note_correction(const Peer& peer, clock::Keeper::Verdict verdict, bool before);
    void watch_clock();
    void steer_clock();
    void note_trust();
    Time shown_now() const { return keeper_.read(timepiece_->raw_now()); }

    // As the master
    void take_over();
    void step_down();
    void go_ahead(Id slave) override;
    std::uint64_t send_probe(Id slave, const Probe& probe, bool deputy) override;
    void lose(Id slave) override;
    void resign() override;
    void leave_office();
    void lead(const clock::Correction& correction) override;
    void adjust(Id slave, bool deputy);
    Id heir() const;
    void begin_round();
    void enlist(Peer& peer);
    void round_over(const std::vector<BsdRound::Reading>& readings) override;
    // By the difference, or to a time that is `mean` later than the network's is now.
    void follow_others(Duration mean);
    void correct_bsd(Peer& peer, std::optional<Duration> by, Duration mean = {});

    // timedc and date
    void serve_tool(const Request& request);
    void hear_date(const Request& request);
    void hear_date_acknowledged(const wire::TspDatagram& datagram);
    std::string change_date(Duration by, const std::string& who);
    bool slaves_follow() const;
    void begin_early();

    net::Loop& loop_;
    const DaemonConfig config_;
    const wire::Keys keys_;
    const std::uint64_t session_;
    const std::uint32_t incarnation_;
    const Id me_;
    net::Log log_;
    std::uint64_t sequence_ = 0;  // of trailers
    bool bsd_times_ = false, clock_refused_ = false;
    Time hears_bsd_until_{};
    Timing timing_;
    Duration reply_delay_{};
    std::unique_ptr<Timepiece> timepiece_;
    clock::Keeper keeper_;
    clock::Steering orders_;
    Differences differences_;
    Gate gate_;
    Company company_;
    Sockets sockets_;
    Sending sending_;
    TempoHost brain_;
    std::optional<Reign> reign_;
    BsdRound bsd_round_;
    const Request* request_ = nullptr;  // that the brain's turn answers
    net::Alarm looking_, returning_, waking_, steering_, beginning_, resigning_, gathering_,
        calling_, abstaining_;
    std::map<Id, net::Address> bsd_due_;  // for the next round
    Time resigned_{};                     // by order of an operator
    Time took_over_{};                    // or called everybody, since another master was there
    Time unwanted_until_{};               // LOOP is
    std::uint32_t calls_ = 0;             // for a master, of a slave that lost its own
    std::uint32_t dictated_ = 0;  // so many rounds do not ask BSD slaves for the network's time
    std::map<std::string, std::uint64_t, std::less<>> dropped_;

    // The last answer to a probe, whose stamp goes with the next
    std::uint32_t answered_number_ = 0;
    std::uint64_t answered_sequence_ = 0;
    Time answered_stamp_{};

    // A change of the date that was asked for here.
    struct Wish {
        enum class State : std::uint8_t { asked, acknowledged, lost } state = State::asked;
        Duration by{};
        std::uint32_t date_changes = 0;  // before it
    };
    std::optional<Wish> wish_;
    // The request of date(1) that waits for an answer
    std::optional<Request> date_asked_;
    std::pair<std::string, std::uint16_t> date_heard_{};  // and obeyed

    struct Warning {
        std::string sentence{};
        Time heard{};
    };
    std::map<std::string, Warning> warnings_;  // by cause
    std::set<std::string> strangers_;          // with another key
    net::Alarm answering_twin_;                // until then it is not answered again

    std::string told_state_, told_master_, remark_;
    bool told_set_ = false;
    clock::Trust told_trust_ = clock::Trust::unknown;
    Time trusted_since_{};  // on the loop's clock
    std::map<Id, BsdRound::Reading> bsd_readings_;
};

}  // namespace conclave::timed

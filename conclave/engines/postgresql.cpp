// A cell in PostgreSQL: a row, whose version is drawn from a sequence at every write.
#include <libpq-fe.h>
#include <poll.h>

#include <charconv>

#include "conclave/engines/port.hpp"
#include "conclave/engines/value.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::engines {

namespace {

struct Rows {
    PGresult* result = nullptr;
    Rows() = default;
    explicit Rows(PGresult* given) : result(given) {}
    ~Rows() { PQclear(result); }
    Rows(Rows&& other) noexcept : result(std::exchange(other.result, nullptr)) {}
    Rows& operator=(Rows&& other) noexcept {
        std::swap(result, other.result);
        return *this;
    }
    int count() const { return PQntuples(result); }
    std::string cell(int row, int column) const { return PQgetvalue(result, row, column); }
    bool good() const {
        const auto status = PQresultStatus(result);
        return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    }
};

// The first line of what PostgreSQL says.
std::string first_line(std::string text) {
    text = text.substr(0, text.find('\n'));
    return text.empty() ? "no answer" : text;
}

constexpr const char* make_table =
    "CREATE TABLE IF NOT EXISTS conclave_cell (name text PRIMARY KEY, version bigint NOT NULL, "
    "value text NOT NULL)";
constexpr const char* make_sequence = "CREATE SEQUENCE IF NOT EXISTS conclave_version";
constexpr const char* found_cell =
    "INSERT INTO conclave_cell VALUES ($1, nextval('conclave_version'), $2) "
    "ON CONFLICT (name) DO NOTHING";
constexpr const char* read_cell = "SELECT version, value FROM conclave_cell WHERE name = $1";
// Whoever waits for the row's lock compares the version again when it has it.
constexpr const char* write_cell =
    "WITH written AS (UPDATE conclave_cell SET version = nextval('conclave_version'), value = $3 "
    "WHERE name = $1 AND version = $2::bigint RETURNING version, value) "
    "SELECT version, value, pg_notify('conclave_cell', $1) FROM written";

class Postgresql final : public Port {
public:
    Postgresql(const Access& access, std::string user, std::string password)
        : access_(access), user_(std::move(user)), password_(std::move(password)) {}
    ~Postgresql() override { PQfinish(connection_); }
    Postgresql(const Postgresql&) = delete;
    Postgresql& operator=(const Postgresql&) = delete;

    Outcome read() override {
        if (!connect()) return lost();
        Rows rows = run(read_cell, {access_.cell});
        if (rows.good() && rows.count() == 0) {
            run(found_cell, {access_.cell, to_text(founding_value(access_.promise))});
            rows = run(read_cell, {access_.cell});
        }
        return outcome_of(rows);
    }
    Outcome compare_and_set(std::uint64_t version, const std::string& value) override {
        if (!connect()) return lost();
        const Rows rows = run(write_cell, {access_.cell, std::to_string(version), value});
        return rows.good() && rows.count() == 0 ? read() : outcome_of(rows);
    }

    bool watch(std::uint64_t version, Duration most) override {
        const Time end = net::boot_time() + most;
        if (!connect()) return false;
        if (!listening_) {
            listening_ = run("LISTEN conclave_cell", {}).good();
            const Outcome now = read();  // what changed before it listened is not told
            if (!now.known || now.version != version) return now.known;
        }
        for (;;) {
            while (PGnotify* notice = PQnotifies(connection_)) {
                const bool ours = access_.cell == notice->extra;
                PQfreemem(notice);
                if (ours) return true;
            }
            if (!wait(POLLIN, end)) return false;
            if (PQconsumeInput(connection_) == 0) return close(), false;
        }
    }

    std::vector<std::string> examine() override {
        std::vector<std::string> findings;
        if (!connect()) return {problem_ + ": start PostgreSQL, or correct --via"};
        const Rows rights =
            run("SELECT has_table_privilege('conclave_cell', 'SELECT,INSERT') AND "
                "has_table_privilege('conclave_cell', 'UPDATE') AND "
                "has_sequence_privilege('conclave_version', 'USAGE')",
                {});
        if (!rights.good() || rights.count() != 1 || rights.cell(0, 0) != "t")
            findings.push_back(
                "this user may not write table conclave_cell or use sequence "
                "conclave_version: GRANT SELECT, INSERT, UPDATE and USAGE");
        const Rows standbys =
            run("SELECT count(*) FILTER (WHERE sync_state = 'async'), "
                "count(*) FILTER (WHERE sync_state <> 'async') FROM pg_stat_replication",
                {});
        if (standbys.good() && standbys.count() == 1 && standbys.cell(0, 0) != "0" &&
            standbys.cell(0, 1) == "0")
            findings.push_back(
                "PostgreSQL has only asynchronous standbys, and one that takes over may lack the "
                "last lease, so two nodes may lead: set synchronous_standby_names");
        const Rows fsync = run("SHOW fsync", {});
        if (fsync.good() && fsync.count() == 1 && fsync.cell(0, 0) == "off")
            findings.push_back(
                "PostgreSQL runs with fsync = off, and forgets leases when its "
                "machine crashes: set fsync = on");
        return findings;
    }

private:
    Outcome lost() const { return {.problem = problem_}; }
    Outcome outcome_of(const Rows& rows) {
        if (!rows.good()) {
            const char* why = rows.result == nullptr ? "" : PQresultErrorMessage(rows.result);
            if (rows.result != nullptr) problem_ = "PostgreSQL refuses (" + first_line(why) + ")";
            return lost();
        }
        Outcome outcome;
        if (rows.count() != 1) return {.problem = "the row was removed at the same moment"};
        const std::string version = rows.cell(0, 0);
        std::from_chars(version.data(), version.data() + version.size(), outcome.version);
        outcome.value = rows.cell(0, 1);
        outcome.known = outcome.version != 0;
        return outcome;
    }

    void close() {
        PQfinish(std::exchange(connection_, nullptr));
        listening_ = false;
    }

    bool wait(short events, Time end) const {
        const auto left = (end - net::boot_time()) / std::chrono::milliseconds(1);
        if (left <= 0) return false;
        pollfd watched{PQsocket(connection_), events, 0};
        return poll(&watched, 1, static_cast<int>(left)) == 1;
    }

    // The host that takes writes, of all that are named.
    bool connect() {
        if (connection_ != nullptr && PQstatus(connection_) == CONNECTION_OK) return true;
        close();
        std::string hosts, ports;
        for (const Endpoint& each : access_.via.endpoints) {
            hosts += (hosts.empty() ? "" : ",") + each.host;
            ports += (ports.empty() ? "" : ",") + std::to_string(each.port);
        }
        const bool tls = !access_.ca.empty();
        const char* names[] = {"host",
                               "port",
                               "dbname",
                               "user",
                               "password",
                               "target_session_attrs",
                               "application_name",
                               "sslmode",
                               "sslrootcert",
                               "sslcert",
                               "sslkey",
                               "client_encoding",
                               nullptr};
        const char* values[] = {hosts.c_str(),
                                ports.c_str(),
                                access_.via.path.c_str(),
                                user_.empty() ? nullptr : user_.c_str(),
                                password_.empty() ? nullptr : password_.c_str(),
                                "read-write",
                                "conclave",
                                tls ? "verify-full" : "prefer",
                                tls ? access_.ca.c_str() : nullptr,
                                access_.certificate.empty() ? nullptr : access_.certificate.c_str(),
                                access_.private_key.empty() ? nullptr : access_.private_key.c_str(),
                                "UTF8",
                                nullptr};
        connection_ = PQconnectStartParams(names, values, 0);
        if (!await_connection()) {
            problem_ = "PostgreSQL cannot be reached (" +
                       first_line(connection_ == nullptr ? "" : PQerrorMessage(connection_)) + ")";
            close();
            return false;
        }
        return prepare();
    }
    bool await_connection() const {
        const auto hosts = static_cast<std::int64_t>(access_.via.endpoints.size());
        const Time end = net::boot_time() + access_.patience * hosts;
        if (connection_ == nullptr || PQstatus(connection_) == CONNECTION_BAD) return false;
        for (auto next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;
             next = PQconnectPoll(connection_)) {
            if (next == PGRES_POLLING_FAILED) return false;
            if (!wait(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, end)) return false;
        }
        return true;
    }
    // An answered write must be on disk, and on a synchronous standby if there is one.
    bool prepare() {
        const Rows commit = run("SHOW synchronous_commit", {});
        if (!commit.good() || commit.count() != 1) return false;
        const std::string mode = commit.cell(0, 0);
        if (mode != "on" && mode != "remote_apply") run("SET synchronous_commit = on", {});
        run("SET default_transaction_isolation = 'read committed'", {});
        run("SET client_min_messages = error", {});
        if (run("SELECT 1 FROM conclave_cell LIMIT 1", {}).good()) return true;
        run(make_table, {});
        run(make_sequence, {});
        const Rows made = run("SELECT 1 FROM conclave_cell LIMIT 1", {});
        if (made.good()) return true;
        outcome_of(made);
        return false;
    }

    // Nothing comes back where the connection is lost, or the answer takes too long.
    Rows run(const char* statement, const std::vector<std::string>& given) {
        if (connection_ == nullptr) return {};
        std::vector<const char*> values;
        for (const std::string& each : given) values.push_back(each.c_str());
        const Time end = net::boot_time() + access_.patience;
        Rows last;
        if (PQsendQueryParams(connection_, statement, static_cast<int>(values.size()), nullptr,
                              values.data(), nullptr, nullptr, 0) == 1) {
            for (;;) {
                while (PQisBusy(connection_) == 1)
                    if (!wait(POLLIN, end) || PQconsumeInput(connection_) == 0) return give_up();
                PGresult* next = PQgetResult(connection_);
                if (next == nullptr) return last;
                last = Rows(next);
            }
        }
        return give_up();
    }
    Rows give_up() {
        const std::string why = PQerrorMessage(connection_);
        problem_ = "PostgreSQL does not answer (" + first_line(why) + ")";
        close();
        return {};
    }

    Access access_;
    std::string user_, password_;
    PGconn* connection_ = nullptr;
    bool listening_ = false;
    std::string problem_ = "PostgreSQL cannot be reached";
};

}  // namespace

std::unique_ptr<Port> make_postgresql(const Access& access, std::string user,
                                      std::string password) {
    return std::make_unique<Postgresql>(access, std::move(user), std::move(password));
}

}  // namespace conclave::engines

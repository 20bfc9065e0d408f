// A cell in etcd, by its JSON gateway: the version is the key's mod_revision.
#include <curl/curl.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "conclave/engines/base64.hpp"
#include "conclave/engines/port.hpp"
#include "conclave/engines/value.hpp"

namespace conclave::engines {

namespace {

using Json = nlohmann::json;

// int64 are strings in this JSON, and what is zero is left out.
std::uint64_t number_in(const Json& object, const char* name) {
    const auto at = object.find(name);
    std::uint64_t number = 0;
    if (at == object.end()) return 0;
    if (at->is_number_unsigned()) return at->get<std::uint64_t>();
    if (!at->is_string()) return 0;
    const auto& text = at->get_ref<const std::string&>();
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}
const Json* object_in(const Json& object, const char* name) {
    const auto at = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && at != object.end() ? &*at : nullptr;
}

struct Reply {
    bool reached = false;
    long status = 0;
    Json body{};
    std::string problem{};
};

class Etcd final : public Port {
public:
    Etcd(const Access& access, std::string user, std::string password)
        : access_(access),
          user_(std::move(user)),
          password_(std::move(password)),
          key_(to_base64(access.via.path + "/" + access.cell)),
          curl_(curl_easy_init()) {}
    ~Etcd() override { curl_easy_cleanup(curl_); }
    Etcd(const Etcd&) = delete;
    Etcd& operator=(const Etcd&) = delete;

    Outcome read() override {
        const std::string founded = to_base64(to_text(founding_value(access_.promise)));
        return transact(0, founded);
    }
    Outcome compare_and_set(std::uint64_t version, const std::string& value) override {
        return transact(version, to_base64(value));
    }

    // One answer for each event, as long as the connection stands.
    bool watch(std::uint64_t version, Duration most) override {
        const Json request{
            {"create_request", {{"key", key_}, {"start_revision", std::to_string(version + 1)}}}};
        watching_ = true;
        heard_ = false;
        post(current_, "/v3/watch", request, most);
        watching_ = false;
        return heard_;
    }

    std::vector<std::string> examine() override {
        std::vector<std::string> findings;
        for (std::size_t i = 0; i < access_.via.endpoints.size(); ++i) {
            const Reply reply = post(i, "/v3/maintenance/status", Json::object(), access_.patience);
            if (!reply.reached || reply.status != 200)
                findings.push_back("etcd at " + text(access_.via.endpoints[i]) +
                                   " does not answer (" + reply.problem +
                                   "): start it, or take it out of --via");
        }
        const Reply members = ask("/v3/cluster/member/list", Json::object());
        const Json* list = object_in(members.body, "members");
        if (members.reached && list != nullptr && list->size() < 3)
            findings.push_back("etcd has " + std::to_string(list->size()) +
                               (list->size() == 1 ? " server" : " servers") +
                               ", and stops when one fails: add servers until there are three");
        return findings;
    }

private:
    // If the key is still of this version, the value; either way the key afterwards.
    Outcome transact(std::uint64_t version, const std::string& value) {
        const Json request{{"compare",
                            {{{"target", "MOD"},
                              {"key", key_},
                              {"result", "EQUAL"},
                              {"mod_revision", std::to_string(version)}}}},
                           {"success",
                            {{{"request_put", {{"key", key_}, {"value", value}}}},
                             {{"request_range", {{"key", key_}}}}}},
                           {"failure", {{{"request_range", {{"key", key_}}}}}}};
        Outcome outcome;
        const Reply reply = ask("/v3/kv/txn", request);
        outcome.problem = reply.problem;
        if (!reply.problem.empty()) return outcome;
        const Json* responses = object_in(reply.body, "responses");
        const Json* range = responses != nullptr && responses->is_array() && !responses->empty()
                                ? object_in(responses->back(), "response_range")
                                : nullptr;
        const Json* keys = range != nullptr ? object_in(*range, "kvs") : nullptr;
        if (keys == nullptr || !keys->is_array() || keys->empty()) {
            outcome.problem = "the key was removed at the same moment";
            return outcome;
        }
        outcome.version = number_in(keys->front(), "mod_revision");
        const Json* stored = object_in(keys->front(), "value");
        outcome.known = outcome.version != 0;
        if (stored != nullptr && stored->is_string())
            outcome.value = from_base64(stored->get_ref<const std::string&>());
        return outcome;
    }

    // The endpoint that answered last, then the others.
    Reply ask(const char* path, const Json& request) {
        Reply reply;
        for (std::size_t i = 0; i < access_.via.endpoints.size(); ++i) {
            reply = post(current_, path, request, access_.patience);
            if (reply.reached && is_unauthenticated(reply) && authenticate())
                reply = post(current_, path, request, access_.patience);
            if (reply.reached && reply.status == 200) return reply;
            if (reply.reached && reply.status < 500 && reply.status != 429) return reply;
            current_ = (current_ + 1) % access_.via.endpoints.size();
        }
        return reply;
    }
    bool is_unauthenticated(const Reply& reply) const {
        return !user_.empty() && (reply.status == 401 || reply.status == 400);
    }
    bool authenticate() {
        token_.clear();
        const Reply reply = post(current_, "/v3/auth/authenticate",
                                 Json{{"name", user_}, {"password", password_}}, access_.patience);
        const Json* token = object_in(reply.body, "token");
        if (reply.status == 200 && token != nullptr && token->is_string())
            token_ = token->get<std::string>();
        return !token_.empty();
    }

    void prepare(const std::string& url, const std::string& body, Duration most) {
        curl_easy_reset(curl_);
        const auto ms = static_cast<long>(most / std::chrono::milliseconds(1));
        curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
        curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.c_str());
        curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, ms);
        curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS,
                         static_cast<long>(access_.patience / std::chrono::milliseconds(1)));
        curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl_, CURLOPT_PROXY, "");  // an engine is no web page
        curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, &Etcd::receive);
        curl_easy_setopt(curl_, CURLOPT_WRITEDATA, this);
        if (access_.ca.empty()) return;
        curl_easy_setopt(curl_, CURLOPT_CAINFO, access_.ca.c_str());
        if (access_.certificate.empty()) return;
        curl_easy_setopt(curl_, CURLOPT_SSLCERT, access_.certificate.c_str());
        curl_easy_setopt(curl_, CURLOPT_SSLKEY, access_.private_key.c_str());
    }

    Reply post(std::size_t endpoint, const char* path, const Json& request, Duration most) {
        const std::string host = text(access_.via.endpoints[endpoint]);
        const std::string url = (access_.ca.empty() ? "http://" : "https://") + host + path;
        const std::string body = request.dump();
        received_.clear();
        prepare(url, body, most);
        curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
        if (!token_.empty())
            headers = curl_slist_append(headers, ("Authorization: " + token_).c_str());
        curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, headers);
        const CURLcode code = curl_easy_perform(curl_);
        curl_slist_free_all(headers);
        Reply reply;
        curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &reply.status);
        reply.reached = code == CURLE_OK;
        if (!reply.reached) {
            reply.problem = "etcd at " + host + ": " + curl_easy_strerror(code);
            return reply;
        }
        reply.body = Json::parse(received_, nullptr, false);
        if (reply.status == 200 && reply.body.is_object()) return reply;
        const Json* why = object_in(reply.body, "error");
        reply.problem = "etcd at " + host + " refuses (" +
                        (why != nullptr && why->is_string() ? why->get<std::string>()
                                                            : std::to_string(reply.status)) +
                        ")";
        return reply;
    }

    // Answers are small; a watch is over with its first event, or when it is cancelled.
    static std::size_t receive(char* data, std::size_t, std::size_t size, void* self) {
        constexpr std::size_t most = 1 << 20;
        auto& etcd = *static_cast<Etcd*>(self);
        if (etcd.received_.size() + size > most) return 0;
        etcd.received_.append(data, size);
        if (!etcd.watching_) return size;
        const bool event = etcd.received_.find("\"events\"") != std::string::npos;
        const bool over = etcd.received_.find("\"canceled\"") != std::string::npos;
        etcd.heard_ = event || over;
        return etcd.heard_ ? 0 : size;
    }

    Access access_;
    std::string user_, password_, token_{};
    std::string key_;
    CURL* curl_;
    std::size_t current_ = 0;  // endpoint
    std::string received_{};
    bool watching_ = false, heard_ = false;
};

}  // namespace

std::unique_ptr<Port> make_etcd(const Access& access, std::string user, std::string password) {
    return std::make_unique<Etcd>(access, std::move(user), std::move(password));
}

}  // namespace conclave::engines

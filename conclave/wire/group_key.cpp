#include "conclave/wire/group_key.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "conclave/core/check.hpp"

namespace conclave::wire {

namespace {

constexpr std::string_view heading =
    "# Conclave key: one key a line, the first seals, all open. Keep it secret.\n";
constexpr std::size_t file_most = 4096;
constexpr mode_t others = S_IRWXG | S_IRWXO;

void need_sodium() {
    static const bool ready = sodium_init() >= 0;
    check(ready, "libsodium finds no source of randomness");
}

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) {
    return reinterpret_cast<const unsigned char*>(bytes);
}

std::uint64_t first_number(Input bytes) {
    std::uint64_t number = 0;
    return decode(number, bytes) ? number : 0;
}

KeyRefusal refuse(const std::string& path, const std::string& rest) {
    return {"key file " + path + " " + rest};
}
KeyRefusal cannot(const std::string& what, const std::string& path, const std::string& remedy) {
    return refuse(path, "cannot be " + what + " (" + std::strerror(errno) + "): " + remedy);
}
KeyRefusal cannot_read(const std::string& what, const std::string& path) {
    return cannot(what, path, "give one that conclave keygen made and that this user may read");
}
KeyRefusal cannot_make(const std::string& what, const std::string& path) {
    return cannot(what, path,
                  "choose a folder that is there, with room, and that you may write to");
}

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

private:
    int fd_;
};

// Why a file is no place for a secret; nothing if it is one.
std::optional<KeyRefusal> find_fault(int fd, const std::string& path) {
    struct stat found{};
    if (fstat(fd, &found) != 0) return cannot_read("looked at", path);
    if (!S_ISREG(found.st_mode))
        return refuse(path, "is no plain file: make one with conclave keygen FILE");
    if (found.st_uid != geteuid() && found.st_uid != 0)
        return refuse(path, "belongs to user " + std::to_string(found.st_uid) +
                                ": it must belong to you or to root");
    if ((found.st_mode & others) != 0)
        return refuse(path, "can be read or written by others: chmod 600 " + path);
    if (found.st_size > static_cast<off_t>(file_most))
        return refuse(path, "is too long for a key file: it holds one or two keys");
    return std::nullopt;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t wrote = write(fd, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return true;
}

std::string spell(const Key& key) {
    std::array<char, 2 * Key::size + 1> hex{};
    sodium_bin2hex(hex.data(), hex.size(), raw(key.secret().data()), Key::size);
    std::string line(hex.data());
    sodium_memzero(hex.data(), hex.size());
    return line + "\n";
}

void wipe(std::string& text) { sodium_memzero(text.data(), text.size()); }

}  // namespace

Key::Key(const Secret& secret) : secret_(secret) {
    need_sodium();
    constexpr std::string_view purpose = "conclave key hint";
    const Tag mark = tag(std::as_bytes(std::span(purpose)));
    hint_ = static_cast<std::uint32_t>(first_number(mark)) | 1;  // 0 means: not sealed
}

Key Key::random() {
    need_sodium();
    Secret secret;
    randombytes_buf(secret.data(), secret.size());
    Key key(secret);
    sodium_memzero(secret.data(), secret.size());
    return key;
}

Key::~Key() { sodium_memzero(secret_.data(), secret_.size()); }

Key::Tag Key::tag(Input bytes) const {
    Tag tag;
    crypto_generichash(raw(tag.data()), tag.size(), raw(bytes.data()), bytes.size(),
                       raw(secret_.data()), secret_.size());
    return tag;
}

bool Key::sealed(Input bytes, Input tag_given) const {
    const Tag right = tag(bytes);
    return tag_given.size() == right.size() &&
           sodium_memcmp(right.data(), tag_given.data(), right.size()) == 0;
}

const Key* Keys::find(std::uint32_t hint) const {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.hint() == hint; });
    return found == keys.end() ? nullptr : &*found;
}

std::variant<Keys, KeyRefusal> parse_keys(std::string_view text, const std::string& path) {
    Keys keys;
    for (int number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.empty() || line.starts_with('#')) continue;
        const std::string where = "line " + std::to_string(number);
        Key::Secret secret;
        std::size_t length = 0;
        if (line.size() != 2 * Key::size ||
            sodium_hex2bin(raw(secret.data()), secret.size(), line.data(), line.size(), nullptr,
                           &length, nullptr) != 0 ||
            length != Key::size)
            return refuse(path, where + " is no key: 64 hexadecimal digits, as conclave keygen" +
                                    " writes them");
        const Key key(secret);
        sodium_memzero(secret.data(), secret.size());
        if (keys.find(key.hint()) != nullptr)
            return refuse(path, where + " repeats a key: remove it");
        if (keys.keys.size() == Keys::most)
            return refuse(path, where + " is a third key: keep the one in use and the next");
        keys.keys.push_back(key);
    }
    if (keys.empty()) return refuse(path, "holds no key: make one with conclave keygen FILE");
    return keys;
}

std::variant<Keys, KeyRefusal> read_keys(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return cannot_read("opened", path);
    if (auto fault = find_fault(file.get(), path)) return *fault;
    std::string text(file_most, '\0');
    std::size_t length = 0;
    for (ssize_t got = 1; got != 0 && length < text.size();) {
        got = read(file.get(), text.data() + length, text.size() - length);
        if (got < 0 && errno != EINTR) {
            wipe(text);
            return cannot_read("read", path);
        }
        length += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    auto keys = parse_keys(std::string_view(text).substr(0, length), path);
    wipe(text);
    return keys;
}

std::variant<Key, KeyRefusal> make_key_file(const std::string& path) {
    const Descriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file.get() < 0 && errno == EEXIST)
        return refuse(path, "exists already: choose another name, a key is never overwritten");
    if (file.get() < 0) return cannot_make("made", path);
    Key key = Key::random();
    std::string line = spell(key);
    const bool written =
        write_all(file.get(), heading) && write_all(file.get(), line) && fsync(file.get()) == 0;
    const int reason = errno;
    wipe(line);
    if (written) return key;
    unlink(path.c_str());  // ours: made a moment ago, exclusively
    errno = reason;
    return cannot_make("written", path);
}

std::uint64_t random_number() {
    need_sodium();
    std::uint64_t number = 0;
    randombytes_buf(&number, sizeof number);
    return number;
}

std::uint64_t digest_of(std::string_view word) {
    need_sodium();
    std::array<std::byte, crypto_generichash_BYTES_MIN> digest{};
    const Input bytes = std::as_bytes(std::span(word));
    crypto_generichash(raw(digest.data()), digest.size(), raw(bytes.data()), bytes.size(), nullptr,
                       0);
    return first_number(digest);
}

}  // namespace conclave::wire

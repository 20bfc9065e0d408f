// Messages under way on one link: messages in order, each with the ticks it has been travelling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conclave/checker/world/intern.hpp"
#include "conclave/checker/world/memo.hpp"

namespace conclave::checker {

struct Parcel {
    std::uint32_t message;
    std::uint16_t age;
};

struct Mail {
    std::vector<Parcel> parcels;
};

// The same again as the one before: what happens with it, has been tried.
inline bool is_repeated(const std::vector<Parcel>& parcels, std::size_t i) {
    return i > 0 && parcels[i].message == parcels[i - 1].message &&
           parcels[i].age == parcels[i - 1].age;
}

// Contents of links as numbers, 0 is the empty link; operations are worked out once.
class Links {
public:
    explicit Links(Interner<Mail>& mails, bool fifo) : mails_(mails), fifo_(fifo) {}

    const Mail& at(std::uint32_t mail) const { return mails_[mail]; }

    std::uint32_t push(std::uint32_t mail, std::uint32_t message) {
        return memoised(0, mail, message, [&](Mail& m) {
            m.parcels.push_back({message, 0});
            if (!fifo_) tidy(m);
        });
    }
    std::uint32_t remove(std::uint32_t mail, std::uint32_t index) {
        return memoised(1, mail, index, [&](Mail& m) {
            m.parcels.erase(m.parcels.begin() + static_cast<std::ptrdiff_t>(index));
        });
    }
    std::uint32_t tick(std::uint32_t mail) {
        return mail == 0 ? 0 : memoised(2, mail, 0, [&](Mail& m) {
            for (Parcel& parcel : m.parcels) ++parcel.age;
        });
    }

private:
    // Without an order of arrival the order of sending is forgotten, so that equal bags are equal.
    static void tidy(Mail& mail) {
        for (std::size_t i = mail.parcels.size() - 1; i > 0; --i) {
            Parcel &a = mail.parcels[i - 1], &b = mail.parcels[i];
            if (a.message < b.message || (a.message == b.message && a.age >= b.age)) break;
            std::swap(a, b);
        }
    }
    template <class Change>
    std::uint32_t memoised(std::uint64_t what, std::uint32_t mail, std::uint32_t argument,
                           const Change& change) {
        const std::uint64_t question = what << 62 | std::uint64_t{mail} << 30 | argument;
        const std::uint32_t known = memo_.find(question);
        if (known != Memo::unknown) return known;
        Mail changed = mails_[mail];
        change(changed);
        const std::uint32_t number = mails_.intern(changed);
        memo_.put(question, number);
        return number;
    }

    Interner<Mail>& mails_;
    bool fifo_;
    Memo memo_;
};

}  // namespace conclave::checker

#include "conclave/claims/documents.hpp"

#include <algorithm>
#include <array>

namespace conclave::claims {

namespace {

constexpr std::array all{
    Document{"Gusella & Zatti 1985",
             "An Election Algorithm for a Distributed Clock Synchronization Program, report "
             "UCB/CSD 86/275"},
    Document{"Németh 1987",
             "An election algorithm for a multiprocessor controlled digital exchange, Periodica "
             "Polytechnica Electrical Engineering 31"},
    Document{"Lecture 9", "Coordinator Election, lecture notes"},
    Document{"CS425 2023", "Distributed Systems CS425/ECE428, slides of 22 February 2023 (Mittal)"},
    Document{"Vitányi 1983",
             "Distributed Elections in an Archimedean Ring of Processors, report IW 243/83"},
};

// Rows whose letter belongs to another document.
constexpr std::array<std::string_view, 4> of_the_lecture{"R1", "B5", "B6", "B8"};
constexpr std::array<std::string_view, 3> of_vitanyi{"R6", "R7", "X4"};

template <class List>
bool has(const List& list, std::string_view id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

}  // namespace

std::span<const Document> documents() { return all; }

const Document& document_of(std::string_view id) {
    if (has(of_the_lecture, id)) return all[2];
    if (has(of_vitanyi, id)) return all[4];
    switch (id.front()) {
        case 'T': return all[0];
        case 'N': return all[1];
        case 'I': return all[2];
        case 'V': return all[4];
        default: return all[3];
    }
}

}  // namespace conclave::claims

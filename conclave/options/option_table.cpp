#include "conclave/options/option_table.hpp"

namespace conclave::options {

namespace {

// A form in words, where its name alone says too little.
std::string explain(std::string_view form) {
    if (form == "SHARE") return "a share from 0 to 1";
    if (form == "PPM") return "parts per million";
    return std::string(form);
}

}  // namespace

std::string refuse_value(const Given& given, const Row& row, const Answer& answer) {
    std::string remedy = answer.remedy;
    if (remedy.empty()) {
        remedy = "give " + explain(row.form);
        if (!row.example.empty()) remedy += ", such as " + std::string(row.example);
    }
    return given.where + " cannot be '" + given.value + "': " + remedy;
}

std::string refuse_twice(const Given& given) {
    return given.where + " is given twice: leave out one";
}

}  // namespace conclave::options

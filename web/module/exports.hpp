// What a page calls: it makes room for a request, writes it there and lets the module respond.
// Included once by each module, which says what responds.
#pragma once

#include <cstddef>
#include <string>

#include "conclave/browser/laboratory.hpp"

#define CONCLAVE_MODULE(RESPOND)                                                          \
    namespace {                                                                           \
    std::string request, answer;                                                          \
    }                                                                                     \
    extern "C" {                                                                          \
    __attribute__((export_name("room"))) char* room(std::size_t size) {                   \
        request.assign(size, '\0');                                                       \
        return request.data();                                                            \
    }                                                                                     \
    /* The address of the answer, which stays until the next call. */                     \
    __attribute__((export_name("respond"))) const char* respond() {                       \
        answer = RESPOND(request);                                                        \
        return answer.data();                                                             \
    }                                                                                     \
    __attribute__((export_name("length"))) std::size_t length() { return answer.size(); } \
    /* Compiler support for 128-bit division asks for these; no stack is guarded. */      \
    void* __stack_chk_guard = nullptr;                                                    \
    [[noreturn]] void __stack_chk_fail() { __builtin_trap(); }                            \
    }

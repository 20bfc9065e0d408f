#include "conclave/trace/stage.hpp"

#include <algorithm>

#include "conclave/trace/columns.hpp"
#include "conclave/trace/phrases.hpp"

namespace conclave::trace {

Texts measure_texts(const Trace& trace, const Cast& cast, const Flights& flights,
                    const DiagramOptions& options) {
    Texts texts;
    if (!trace.records.empty())
        texts.whole = trace.records.back().time - trace.records.front().time;
    const auto grow = [](std::size_t& most, std::size_t value) { most = std::max(most, value); };
    for (const Record& record : trace.records) {
        if (record.time < options.first || record.time > options.last) continue;
        grow(texts.time, short_time(readable_time(record.time, texts.whole)).size());
        switch (record.kind) {
            case Kind::send:
            case Kind::network:
            case Kind::violation: break;
            case Kind::arrive: grow(texts.message, columns_of(flights.text_of(record))); break;
            case Kind::lose:
                grow(texts.message, columns_of(flights.text_of(record)));
                grow(texts.reason, columns_of(record.text));
                break;
            default: {
                const std::size_t columns = columns_of(describe(record).words);
                grow(texts.note, columns);
                if (cast.size() > 0 && record.node == cast.id(cast.size() - 1))
                    grow(texts.last_note, columns);
            }
        }
    }
    return texts;
}

std::optional<Stage> set_stage(const Texts& texts, const Cast& cast, std::size_t width) {
    constexpr std::size_t widest = 24, narrowest = 5;
    std::size_t id_columns = 1;
    for (std::size_t i = 0; i < cast.size(); ++i)
        id_columns = std::max(id_columns, name_of(cast.id(i)).size());
    const std::size_t gaps = cast.size() == 0 ? 0 : cast.size() - 1;
    const std::size_t least = std::max(narrowest, id_columns + 2);
    std::size_t tail = 1 + std::max({texts.last_note, texts.reason, id_columns + 2});

    Stage stage;
    stage.count = cast.size();
    stage.left = texts.time + 2;
    stage.width = width - stage.left;
    stage.spacing = std::clamp(std::max(texts.message + 6, texts.note + 3), least, widest);
    if (gaps * stage.spacing + 1 + tail > stage.width) {  // squeeze everything a little
        stage.left = texts.time + 1;
        stage.width = width - stage.left;
        const std::size_t most = std::max(stage.width / (gaps + 1) + 4, id_columns + 3);
        tail = std::min(tail, most);
        const auto fit = [&] { return gaps == 0 ? 0 : (stage.width - tail - 1) / gaps; };
        if (fit() < texts.message + 3) tail = std::min(std::max(tail, texts.message + 1), most);
        if (gaps > 0 && fit() < least) return std::nullopt;
        stage.spacing = std::min(stage.spacing, std::max(fit(), least));
    }
    stage.right = std::min(stage.width, stage.x(gaps) + 1 + tail);
    return stage;
}

}  // namespace conclave::trace

internal import CLibYAML

/// The events of a YAML text, one after another. This is the only place that calls libyaml.
@safe final class YAMLEvents {
    enum Event {
        case scalar(String, isQuoted: Bool, anchor: String?)
        /// A list starts: its items follow, then `end`.
        case list(anchor: String?)
        /// A mapping starts: its keys follow, each before its value, then `end`.
        case mapping(anchor: String?)
        case end
        /// The value with that anchor is repeated here.
        case alias(String)
        /// A document starts: one node follows, then `documentEnd`.
        case document
        case documentEnd
        case textEnd
    }

    /// The path of the file, for messages.
    let path: String
    /// The line at which the last event starts, from 1.
    private(set) var line = 1
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The parser's own copy, which it reads from event to event.
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String, path: String) throws(ConfigurationFault) {
        self.path = path
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        // Allocated even for an empty text, as libyaml doesn't accept a null pointer.
        unsafe self.text = .allocate(capacity: max(1, text.utf8.count))
        let (_, end) = unsafe self.text.initialize(from: text.utf8)
        guard unsafe yaml_parser_initialize(parser) == 1 else { throw fault() }
        // libyaml skips a byte order mark; a text can start only with that of UTF-8.
        unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, end)
    }

    deinit {
        // A parser whose initialization failed owns nothing, but may still be deleted.
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// - Throws: the mistake in the text; nothing after that is read.
    func next() throws(ConfigurationFault) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&event) }
        line = unsafe Int(event.start_mark.line) + 1
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return try next()
        case YAML_DOCUMENT_START_EVENT: return .document
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_SEQUENCE_START_EVENT: return unsafe .list(anchor: Self.name(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT: return unsafe .mapping(anchor: Self.name(event.data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_ALIAS_EVENT: return unsafe .alias(Self.name(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            // By length, as an escape may have produced a zero byte.
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let style = unsafe scalar.style
            return unsafe .scalar(
                String(decoding: bytes, as: UTF8.self),
                isQuoted: style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE,
                anchor: Self.name(scalar.anchor))
        // The end of the text, after which there are events without a type.
        default: return .textEnd
        }
    }

    /// Returns a fault at the start of the last event.
    func fault(_ sentence: String) -> ConfigurationFault {
        ConfigurationFault(.file(path, line: line), key: nil, sentence)
    }

    /// Returns the error that stopped the parser, in libyaml's words.
    private func fault() -> ConfigurationFault {
        guard let problem = unsafe parser.pointee.problem else {
            return ConfigurationFault.file(path, "there is no memory to read it")
        }
        let error = unsafe parser.pointee.error
        // For invalid bytes, there is only an offset.
        let hasLine = error == YAML_SCANNER_ERROR || error == YAML_PARSER_ERROR
        let line = unsafe hasLine ? Int(parser.pointee.problem_mark.line) + 1 : 0
        return unsafe ConfigurationFault(.file(path, line: line), key: nil, String(cString: problem))
    }

    private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe anchor.map { unsafe String(cString: $0) }
    }
}

import Access

extension ConfigurationValue {
    /// Reads a signing key: a text, whose form is detected, or a mapping that states it, such as `{ text: … }`. In the
    /// environment the mapping is a text too.
    /// - Returns: also whether the form was stated.
    func signingKey() throws(ConfigurationFault) -> (key: SigningKey, isSaid: Bool) {
        guard let member = try saidKey() else {
            return (try key { text throws(KeyFault) in try SigningKey(text) }, false)
        }
        guard let form = SigningKey.SaidForm(rawValue: member.name) else {
            throw .unknownKey(member, among: SigningKey.SaidForm.allCases.map(\.rawValue))
        }
        return (try member.value.key { text throws(KeyFault) in try SigningKey(text, as: form) }, true)
    }

    /// The items of a list of keys, or a single key; in the environment, the parts of a text with commas.
    var oldKeys: [ConfigurationValue] {
        switch (form, origin) {
        case (.list(let items), _): return items
        case (.text(let text, _), .environment):
            return text.split(separator: ",").enumerated().map { index, part in
                let bare = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
                return ConfigurationValue(String(bare), origin: origin, key: "\(key)[\(index)]")
            }
        default: return [self]
        }
    }

    private func saidKey() throws(ConfigurationFault) -> Member? {
        switch (form, origin) {
        case (.members(let members), _):
            guard members.count == 1 else { throw fault("has to be one of { text: … }, { hex: … } and { base64: … }") }
            return members[0]
        case (.text(let text, _), .environment):
            guard let match = text.wholeMatch(of: /\{\s*(text|hex|base64)\s*:\s*(.*?)\s*\}/) else { return nil }
            let name = String(match.1)
            return Member(name: name, value: ConfigurationValue(String(match.2), origin: origin, key: "\(key).\(name)"))
        default: return nil
        }
    }

    /// Reads a key. Errors don't repeat it.
    func key<Key>(_ read: (String) throws(KeyFault) -> Key) throws(ConfigurationFault) -> Key {
        guard case .text(let text, _) = form else { throw fault("has to be a text") }
        do throws(KeyFault) {
            return try read(text)
        } catch {
            throw fault(error.rawValue)
        }
    }
}

extension Configuration {
    /// Reports how a key was read, and what is weak about it.
    mutating func note(_ key: SigningKey, isSaid: Bool, of value: ConfigurationValue) {
        let sentence = "is a key of \(key.byteCount) bytes, read as \(key.form.rawValue)"
        let least = SigningKey.recommendedByteCount
        note(key.byteCount < least ? "\(sentence); one under \(least) can be guessed from a token" : nil, of: value)
        explain(
            isSaid
                ? sentence
                : "\(sentence); if another server reads it otherwise, say how: { text: … }, { hex: … } or { base64: … }",
            of: value)
    }

    /// Reports something about a value; reports about a value that this one overrides are dropped.
    mutating func explain(_ sentence: String, of value: ConfigurationValue) {
        explanations.removeAll { $0.key == value.key }
        explanations.append(value.fault(sentence))
    }
}

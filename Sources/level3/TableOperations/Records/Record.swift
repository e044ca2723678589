import ByteText
public import Tables

/// A row, or a part of one, as values by name: what handlers and hooks read and write.
///
/// Names match in any case and keep their first spelling, as columns do.
public struct Record: Sendable, Equatable {
    /// The values in their order.
    public private(set) var properties: [Property]

    /// Creates a record of these values; if a name occurs twice, the last one counts.
    public init(_ properties: [Property] = []) {
        self.properties = []
        self.properties.reserveCapacity(properties.count)
        for property in properties {
            if let index = index(of: property.name) {
                self.properties[index] = property
            } else {
                self.properties.append(property)
            }
        }
    }

    /// Creates a record of a row as a store visited it, whose names are distinct.
    init(visited properties: [Property]) {
        self.properties = properties
    }

    /// The value of that name; nil if there is none, unlike `Value.null`.
    ///
    /// Setting a value adds or replaces it; setting nil removes it.
    public subscript(_ name: String) -> Value? {
        get { index(of: name).map { properties[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (nil, nil): break
            case (nil, let value?): properties.append(Property(name, value))
            case (let index?, nil): properties.remove(at: index)
            case (let index?, let value?): properties[index] = Property(properties[index].name, value)
            }
        }
    }

    /// Adds or replaces a value, with the type of column that it implies.
    mutating func set(_ property: Property) {
        if let index = index(of: property.name) {
            let name = properties[index].name
            properties[index] = Property(name, property.value, impliedType: property.impliedType)
        } else {
            properties.append(property)
        }
    }

    /// The row's id as text; nil if the record has none.
    public var id: String? {
        switch self["id"] {
        case .text(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// The row's version in its wire form; nil if the record has none.
    public var version: String? { self["version"]?.textValue }

    private func index(of name: String) -> Int? {
        let folded = name.lowercased()
        return properties.firstIndex { $0.name.isExactly(name) || $0.name.lowercased().isExactly(folded) }
    }
}

extension Record: ExpressibleByDictionaryLiteral {
    /// Creates a record from a dictionary literal.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { Property($0, $1) })
    }
}

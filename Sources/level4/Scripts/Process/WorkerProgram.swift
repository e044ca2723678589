import WorkerAssets

/// The JavaScript that a worker runs: the files of `Sources/level4/Scripts/Worker` as one text, since nothing of it is on a disk.
enum WorkerProgram {
    /// The text for Node's standard input.
    static let text: [UInt8] = {
        var text = "'use strict';\nconst files = Object.create(null);\n"
        for index in 0..<Int(worker_asset_count()) {
            let asset = unsafe worker_asset(Int32(index))
            let name = unsafe String(cString: asset.name).dropLast(3)
            let source = unsafe String(
                decoding: UnsafeBufferPointer(start: asset.bytes, count: Int(asset.length)), as: UTF8.self)
            text += "files['./\(name)'] = function (module, exports, require) {\n\(source)\n};\n"
        }
        text += """
            const loaded = Object.create(null);
            const outer = require;
            function inner(name) {
              const own = name.endsWith('.js') ? name.slice(0, -3) : name;
              if (!files[own]) return outer(name);
              if (!loaded[own]) {
                loaded[own] = { exports: {} };
                files[own](loaded[own], loaded[own].exports, inner);
              }
              return loaded[own].exports;
            }
            inner.resolve = outer.resolve;
            inner.cache = outer.cache;
            inner('./main');

            """
        return Array(text.utf8)
    }()
}

import MetricSeries
import Platform
import Synchronization

/// The resources that the process uses, under the names common to all Prometheus clients.
final class ProcessReadings: Sendable {
    private struct Descriptors {
        var count = 0.0
        var readAt: ContinuousClock.Instant?
    }

    /// Cached, as counting ten thousand descriptors takes a while.
    private let descriptors = Mutex(Descriptors())

    func families() -> [MeasuredFamily] {
        var families = [
            MeasuredFamily("process_cpu_seconds_total", .counter, Self.cpuSeconds),
            MeasuredFamily("process_open_fds", .gauge, openDescriptors()),
        ]
        if let (size, resident) = Self.memory {
            families.append(MeasuredFamily("process_virtual_memory_bytes", .gauge, size))
            families.append(MeasuredFamily("process_resident_memory_bytes", .gauge, resident))
        }
        if let limit = DescriptorLimit.current {
            families.append(MeasuredFamily("process_max_fds", .gauge, Double(limit)))
        }
        return families
    }

    /// The memory in use by the process, in bytes.
    var residentBytes: Double? { Self.memory?.resident }

    private static var cpuSeconds: Double {
        Double(Clocks.processorTime) / 1e9
    }

    /// In bytes; the file's first two numbers are pages.
    private static var memory: (size: Double, resident: Double)? {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let numbers = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").prefix(2)
            .compactMap { Double($0) }
        guard numbers.count == 2 else { return nil }
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        return (numbers[0] * page, numbers[1] * page)
    }

    private func openDescriptors() -> Double {
        descriptors.withLock { known in
            if let readAt = known.readAt, readAt.duration(to: .now) < .seconds(1) { return known.count }
            known = Descriptors(count: Self.countDescriptors(), readAt: .now)
            return known.count
        }
    }

    private static func countDescriptors() -> Double {
        guard let folder = unsafe opendir("/proc/self/fd") else { return .nan }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor used for counting.
        return Double(max(count - 3, 0))
    }
}

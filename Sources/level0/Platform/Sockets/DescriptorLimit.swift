/// The limit on the process's open descriptors.
public enum DescriptorLimit {
    /// The current limit; nil if the system doesn't report it.
    public static var current: UInt64? {
        limits.map { UInt64($0.rlim_cur) }
    }

    /// Raises the limit as far as requested, up to the system's maximum.
    public static func raise(to wanted: Int) {
        guard var limits else { return }
        let granted = min(rlim_t(wanted), limits.rlim_max)
        guard limits.rlim_cur < granted else { return }
        limits.rlim_cur = granted
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        #else
            _ = unsafe setrlimit(RLIMIT_NOFILE, &limits)
        #endif
    }

    private static var limits: rlimit? {
        var limits = rlimit()
        #if canImport(Glibc)
            guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return nil }
        #else
            guard unsafe getrlimit(RLIMIT_NOFILE, &limits) == 0 else { return nil }
        #endif
        return limits
    }
}

import CoreMetrics

/// What became of notices.
struct NoticeCounts: Sendable {
    let sent: Counter
    let lost: Counter
    /// Attempts, of which a notice has several.
    let failed: Counter

    init(_ metrics: any MetricsFactory) {
        sent = Counter(label: "zumod_webhook_notices_sent_total", factory: metrics)
        lost = Counter(label: "zumod_webhook_notices_lost_total", factory: metrics)
        failed = Counter(label: "zumod_webhook_attempts_failed_total", factory: metrics)
    }
}

//! What queueing theory says in closed form.
//!
//! λ (`arrival_rate`) arrivals and μ (`service_rate`) services a second and server, c servers, load ρ = λ/(cμ) < 1.
//! Results are seconds of response time (waiting and service). Source: Gross, Shortle, Thompson and Harris,
//! *Fundamentals of Queueing Theory*, 4th edition, sections 2.2, 2.3 and 5.1.

use crate::quantile::Quantile;

/// Mean response time of M/M/1: 1/(μ − λ).
pub fn mm1_mean(arrival_rate: f64, service_rate: f64) -> f64 {
    1.0 / (service_rate - arrival_rate)
}

/// Quantile of M/M/1's response time, which is exponential with mean 1/(μ − λ).
pub fn mm1_quantile(arrival_rate: f64, service_rate: f64, q: Quantile) -> f64 {
    -(1.0 - q.share()).ln() * mm1_mean(arrival_rate, service_rate)
}

/// Relaxation time of M/M/1, in which a disturbance shrinks to 1/e: 1/(√μ − √λ)² (Morse, *Queues, Inventories and
/// Maintenance*, 1958).
pub fn mm1_relaxation(arrival_rate: f64, service_rate: f64) -> f64 {
    (service_rate.sqrt() - arrival_rate.sqrt()).powi(-2)
}

/// Mean response time of M/D/1 (Pollaczek and Khinchine): 1/μ + ρ/(2μ(1 − ρ)).
pub fn md1_mean(arrival_rate: f64, service_rate: f64) -> f64 {
    let load = arrival_rate / service_rate;
    (1.0 + load / (2.0 * (1.0 - load))) / service_rate
}

/// Erlang's C: the share of requests that have to wait in M/M/c. By the recursion of Erlang's B,
/// B₀ = 1, Bₙ = aBₙ₋₁/(n + aBₙ₋₁) with a = λ/μ, and C = B/(1 − ρ(1 − B)).
pub fn erlang_c(servers: usize, arrival_rate: f64, service_rate: f64) -> f64 {
    let offered = arrival_rate / service_rate;
    let blocked = (1..=servers).fold(1.0, |b, n| offered * b / (n as f64 + offered * b));
    let load = offered / servers as f64;
    blocked / (1.0 - load * (1.0 - blocked))
}

/// Mean response time of M/M/c: 1/μ + C/(cμ − λ).
pub fn mmc_mean(servers: usize, arrival_rate: f64, service_rate: f64) -> f64 {
    1.0 / service_rate + erlang_c(servers, arrival_rate, service_rate) / spare(servers, arrival_rate, service_rate)
}

/// Quantile of M/M/c's response time: the sum of a waiting time, 0 with 1 − C and else exponential with rate
/// θ = cμ − λ, and of an exponential service time. By bisection of
/// P(T > t) = e^{−μt}(1 − C) + C(μe^{−θt} − θe^{−μt})/(μ − θ), the middle one of which is (1 + μt)e^{−μt} when θ = μ.
pub fn mmc_quantile(servers: usize, arrival_rate: f64, service_rate: f64, q: Quantile) -> f64 {
    let waits = erlang_c(servers, arrival_rate, service_rate);
    let spare = spare(servers, arrival_rate, service_rate);
    let beyond = |t: f64| {
        let served_only = (-service_rate * t).exp();
        let waited = if (service_rate - spare).abs() < 1e-9 * service_rate {
            (1.0 + service_rate * t) * served_only
        } else {
            (service_rate * (-spare * t).exp() - spare * served_only) / (service_rate - spare)
        };
        (1.0 - waits) * served_only + waits * waited
    };
    bisect(beyond, 1.0 - q.share(), 1.0 / service_rate.min(spare))
}

fn spare(servers: usize, arrival_rate: f64, service_rate: f64) -> f64 {
    servers as f64 * service_rate - arrival_rate
}

/// Where the falling function `f` passes `target`, in a range that grows from `scale`.
fn bisect(f: impl Fn(f64) -> f64, target: f64, scale: f64) -> f64 {
    let (mut low, mut high) = (0.0, scale);
    while f(high) > target {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if f(middle) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6 * expected, "{value}, not {expected}");
    }

    #[test]
    fn textbook_values() {
        check(mm1_mean(8.0, 10.0), 0.5);
        check(mm1_quantile(8.0, 10.0, Quantile::P99), std::f64::consts::LN_10);
        check(md1_mean(5.0, 10.0), 0.15);
        check(erlang_c(1, 8.0, 10.0), 0.8);
        check(erlang_c(2, 10.0, 10.0), 1.0 / 3.0);
        check(erlang_c(3, 2.0, 1.0), 4.0 / 9.0);
    }

    #[test]
    fn one_server_is_a_case_of_several() {
        check(mmc_mean(1, 8.0, 10.0), mm1_mean(8.0, 10.0));
        check(mmc_quantile(1, 8.0, 10.0, Quantile::P99), mm1_quantile(8.0, 10.0, Quantile::P99));
        // Spare capacity equal to the service rate is the removable singularity.
        check(mmc_quantile(2, 10.0, 10.0, Quantile::P90), mmc_quantile(2, 10.000_001, 10.0, Quantile::P90));
    }
}

// The smallest k6 script that does what is measured: one GET, its body dropped, in the closed or the open model;
// on a new connection each time if asked for, or several at once on one.
import http from 'k6/http';

const rate = Number(__ENV.BENCH_RATE);
const users = Number(__ENV.BENCH_USERS);
const streams = Number(__ENV.BENCH_STREAMS || 1);
const duration = `${__ENV.BENCH_SECONDS}s`;

export const options = {
  discardResponseBodies: true,
  insecureSkipTLSVerify: true,
  noConnectionReuse: Boolean(__ENV.BENCH_FRESH),
  batch: streams,
  batchPerHost: streams,
  summaryTrendStats: ['med', 'p(90)', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    load: rate
      ? { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration, preAllocatedVUs: users, maxVUs: users }
      : { executor: 'constant-vus', vus: users, duration },
  },
};

export default function () {
  if (streams > 1) {
    http.batch(Array(streams).fill(__ENV.BENCH_URL));
  } else {
    http.get(__ENV.BENCH_URL);
  }
}

export function handleSummary(data) {
  return { stdout: JSON.stringify(data) };
}

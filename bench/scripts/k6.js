// The smallest k6 script that does what is measured: one GET, its body dropped, in the closed or the open model.
import http from 'k6/http';

const rate = Number(__ENV.BENCH_RATE);
const users = Number(__ENV.BENCH_USERS);
const duration = `${__ENV.BENCH_SECONDS}s`;

export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(90)', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    load: rate
      ? { executor: 'constant-arrival-rate', rate, timeUnit: '1s', duration, preAllocatedVUs: users, maxVUs: users }
      : { executor: 'constant-vus', vus: users, duration },
  },
};

export default function () {
  http.get(__ENV.BENCH_URL);
}

export function handleSummary(data) {
  return { stdout: JSON.stringify(data) };
}

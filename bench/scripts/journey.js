// The journey of `journey.hurl` for k6: every status is checked, and two answers in JSON. Bodies that nobody looks at are dropped.
import http from 'k6/http';
import { check } from 'k6';

const host = __ENV.BENCH_URL;

export const options = {
  discardResponseBodies: true,
  summaryTrendStats: ['med', 'p(90)', 'p(95)', 'p(99)', 'max'],
  scenarios: {
    load: { executor: 'constant-vus', vus: Number(__ENV.BENCH_USERS), duration: `${__ENV.BENCH_SECONDS}s` },
  },
};

const is = (status) => ({ [`status is ${status}`]: (answer) => answer.status === status });
const saysJson = { 'Content-Type': 'application/json' };

export default function () {
  const login = http.post(`${host}/login`, '{"name": "ada", "password": "lovelace"}', { headers: saysJson, responseType: 'text' });
  check(login, is(200));
  const authorization = { Authorization: `Bearer ${login.json('token')}` };
  const reading = { headers: authorization };
  const looking = { headers: authorization, responseType: 'text' };
  const sending = { headers: Object.assign({}, saysJson, authorization) };
  const creating = Object.assign({ responseType: 'text' }, sending);

  const created = http.post(`${host}/orders`, '{"sku": "tea", "count": 2}', creating);
  check(created, { ...is(201), 'state is new': (answer) => answer.json('state') === 'new' });
  check(http.get(`${host}/orders/42`, reading), is(200));
  const products = http.get(`${host}/products?sort=price&page=2`, looking);
  check(products, { ...is(200), 'total is 2': (answer) => answer.json('total') === 2 });
  check(http.get(`${host}/profile`, reading), is(200));
  check(http.put(`${host}/orders/42`, '{"sku": "tea", "count": 3}', sending), is(200));
  check(http.del(`${host}/orders/42`, null, reading), is(204));
  check(http.post(`${host}/logout`, null, reading), is(204));
}

export function handleSummary(data) {
  return { stdout: JSON.stringify(data) };
}

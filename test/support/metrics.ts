import * as assert from 'uvu/assert';

/** The metrics of a service as Prometheus would get them. */
export const metricsAt = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/metrics`);
  assert.is(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', 'text/plain');
  return response.text();
};

/** Value of a series, with its labels as written; NaN if there is none. */
export const seriesValue = (text: string, series: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? Number.NaN);
};

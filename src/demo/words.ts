/** A line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function farewell(url: string, key: string, balanceCount: number): void {
  say(`
${balanceCount} balance records, one per account per day. Your API key, shown once:

  ${key}

Try it:

  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/balances?per_page=3'

Swagger UI (press Authorize and paste the key):   ${url}/docs
OpenAPI document:                                 ${url}/openapi.json

Serving until you press Ctrl-C.`);
}

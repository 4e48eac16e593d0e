/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** How a person signs in to the demo. */
interface DemoLogin {
  email: string;
  password: string;
}

export function farewell(url: string, key: string, balanceCount: number, login: DemoLogin): void {
  say(`
${balanceCount} balance records, one per account per day. Look at them in your browser:

  ${url}   (sign in as ${login.email} with the password ${login.password})

Your API key, shown once:

  ${key}

Try it:

  curl -s -H 'X-Api-Key: ${key}' '${url}/api/v1/balances?per_page=3'

Swagger UI (press Authorize and paste the key):   ${url}/docs
OpenAPI document:                                 ${url}/openapi.json

Serving until you press Ctrl-C.`);
}

import { Logger } from '@nestjs/common';
import { redact } from '../bank-provider/http/redact.js';
import type { ProviderReply } from '../bank-provider/http/provider-http.js';
import type { Secret } from '../config/secret.js';

/** The logger that GLOBALPROVIDER_DEBUG_RAW enables at any LOG_LEVEL. */
export const RAW_LOG = 'GlobalProviderRaw';
/** Of a body. Its beginning usually explains a figure. */
const MAX_BODY_CHARS = 16_384;

/** Logs raw answers, to explain a figure. They contain personal data and no secret. */
export class RawLog {
  readonly #log = new Logger(RAW_LOG);

  /** @param path of the request, without its host */
  write(path: string, { status, body }: ProviderReply, apiKey: Secret): void {
    // More than is logged, because it may become shorter without its secrets.
    const text = wholeWords(body, 2 * MAX_BODY_CHARS);
    // Headers are never logged, but a server may repeat the key in its answer.
    const key = apiKey.reveal();
    const clean = redact(
      [key, key.replaceAll('/', '\\/')].reduce((text, key) => text.replaceAll(key, '[secret]'), text),
    );
    const shown = clean.slice(0, MAX_BODY_CHARS);
    const cutChars = clean.length - shown.length + body.length - text.length;
    this.#log.debug({ message: `GET ${path}`, status, body: shown, ...(cutChars > 0 ? { cut_chars: cutChars } : {}) });
  }
}

/** The beginning of a text without the word at its end, if that is cut off: a part of a secret would not be recognised. */
function wholeWords(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return cut.slice(0, 1 + Math.max(...[' ', '\n', '"'].map((end) => cut.lastIndexOf(end))));
}

import { Logger } from '@nestjs/common';
import { redact } from '../bank-provider/http/redact.js';
import type { ProviderReply } from '../bank-provider/http/provider-http.js';
import type { TextBeginning } from '../bank-provider/http/text-beginning.js';
import type { Secret } from '../config/secret.js';

/** The logger that GLOBALPROVIDER_DEBUG_RAW enables at any LOG_LEVEL. */
export const RAW_LOG = 'GlobalProviderRaw';
/** Of a body. Its beginning usually explains a figure. */
const MAX_BODY_CHARS = 16_384;
/** More than is logged, because what is logged may become shorter without its secrets. */
export const KEPT_CHARS = 2 * MAX_BODY_CHARS;

/** Logs raw answers, to explain a figure. They contain personal data and no secret. */
export class RawLog {
  readonly #log = new Logger(RAW_LOG);

  /** @param path of the request, without its host */
  write(path: string, { status, beginning }: ProviderReply, apiKey: Secret): void {
    if (!beginning) return;
    const text = wholeWords(beginning);
    // Headers are never logged, but a server may repeat the key in its answer.
    const key = apiKey.reveal();
    const clean = redact(
      [key, key.replaceAll('/', '\\/')].reduce((text, key) => text.replaceAll(key, '[secret]'), text),
    );
    const shown = clean.slice(0, MAX_BODY_CHARS);
    const cutChars = clean.length - shown.length + beginning.chars - text.length;
    this.#log.debug({ message: `GET ${path}`, status, body: shown, ...(cutChars > 0 ? { cut_chars: cutChars } : {}) });
  }
}

/** A text without the word at its end, if that is cut off: a part of a secret would not be recognised. */
function wholeWords({ text, chars }: TextBeginning): string {
  if (chars === text.length) return text;
  return text.slice(0, 1 + Math.max(...[' ', '\n', '"'].map((end) => text.lastIndexOf(end))));
}

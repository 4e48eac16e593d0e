import { Logger } from '@nestjs/common';
import { redact } from '../bank-provider/redact.js';
import type { ProviderReply } from '../bank-provider/provider-http.js';
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
    // Headers are never logged, but a server may repeat the key in its answer.
    const key = apiKey.reveal();
    const clean = redact(
      [key, key.replaceAll('/', '\\/')].reduce((text, key) => text.replaceAll(key, '[secret]'), body),
    );
    const shown = clean.slice(0, MAX_BODY_CHARS);
    const cut = clean.length > shown.length ? { cut_chars: clean.length - shown.length } : {};
    this.#log.debug({ message: `GET ${path}`, status, body: shown, ...cut });
  }
}

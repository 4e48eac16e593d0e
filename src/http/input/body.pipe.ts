import { Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ApiError, validationFailed } from '../errors/api-error.js';

/** A JSON body as an instance of its class, or 422 with every problem. Unknown members are ignored. */
@Injectable()
export class BodyPipe<T extends object> implements PipeTransform<unknown, T> {
  constructor(private readonly bodyClass: new () => T) {}

  transform(raw: unknown): T {
    if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
      throw new ApiError('bad_request', 'Send a JSON object with Content-Type: application/json.');
    }
    const body = plainToInstance(this.bodyClass, raw, { exposeDefaultValues: true });
    const errors = validateSync(body, { whitelist: true }).flatMap(({ constraints }) =>
      Object.values(constraints ?? {}),
    );
    if (errors.length > 0) throw validationFailed(errors);
    return body;
  }
}

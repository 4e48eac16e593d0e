import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { validationFailed } from '../../platform/domain-error.js';
import { ConcurrencyLimiter } from '../concurrency-limiter.js';
import { ApiError } from '../errors/api-error.js';

export const MULTIPART_TYPE = 'multipart/form-data';

const MIB = 1024 * 1024;
/** Of everything in the body beside the file. */
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 4_096;
const ROOM_FOR_FIELDS = 64 * 1024;
const MAX_NAME_CHARS = 200;
/** A file is in memory from its first byte to the answer. */
const MAX_UPLOADS = 4;

/** Metadata key of {@link TakesFile}. */
const TAKES_FILE = 'tidemark:takes-file';

interface Upload {
  /** The field of the form that has it. */
  field: string;
  maxMib: number;
}

/** The file that a person or a program sent. */
export interface SentFile {
  /** Without a path; of the sender, so it says nothing about the content. */
  name: string;
  bytes: Buffer;
}

/**
 * For a route whose body is a form with one file. It is read once the caller is known; the other fields are the body.
 *
 * @example @Post() @TakesFile({ field: 'file', maxMib: 25 }) create(@Req() request: Request) { fileOf(request) }
 */
export function TakesFile(upload: Upload): MethodDecorator {
  return applyDecorators(SetMetadata(TAKES_FILE, upload), ApiConsumes(MULTIPART_TYPE));
}

/** What a handler takes; `null`: no file. */
export function uploadOf(handler: object): Upload | null {
  return (Reflect.getMetadata(TAKES_FILE, handler) as Upload | undefined) ?? null;
}

const files = new WeakMap<Request, SentFile>();

/** The file of a route that takes one; `null`: it was not sent. @example fileOf(request)?.bytes */
export function fileOf(request: Request): SentFile | null {
  return files.get(request) ?? null;
}

const uploads = new ConcurrencyLimiter('uploads', { perCaller: {}, perInstance: MAX_UPLOADS });

/** Reads the form. @throws ApiError, DomainError */
export async function readUpload(request: Request, response: Response, { field, maxMib }: Upload): Promise<void> {
  if (!request.is(MULTIPART_TYPE)) {
    throw new ApiError('unsupported_media_type', `Send a form with Content-Type: ${MULTIPART_TYPE}.`);
  }
  const tooLarge = new ApiError('payload_too_large', `The file is larger than ${maxMib} MiB.`);
  if (Number(request.headers['content-length'] ?? 0) > maxMib * MIB + ROOM_FOR_FIELDS) throw tooLarge;
  response.once('close', uploads.acquire({}));
  const read = multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: maxMib * MIB, files: 1, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES },
    defParamCharset: 'utf8',
  }).single(field);
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error: unknown) => {
      if (!error) return resolve();
      if (!(error instanceof MulterError)) return reject(new ApiError('bad_request', 'The form cannot be read.'));
      if (error.code === 'LIMIT_FILE_SIZE') return reject(tooLarge);
      return reject(
        validationFailed([`the form must have one file, named ${field}, and ${MAX_FIELDS} fields at most`]),
      );
    });
  });
  // Without a prototype, and so unlike a body of JSON.
  request.body = { ...(request.body as object) };
  if (request.file) files.set(request, { name: nameOf(request.file.originalname), bytes: request.file.buffer });
}

function nameOf(sent: string): string {
  const name = sent.split(/[/\\]/).at(-1)!;
  return (
    name
      .replace(/[\u0000-\u001f\u007f]/g, '')
      .toWellFormed()
      .trim()
      .slice(0, MAX_NAME_CHARS) || 'file'
  );
}

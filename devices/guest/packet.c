#define _GNU_SOURCE /* for MSG_CMSG_CLOEXEC */
#include "devices/guest/packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

#include "base/line.h"
#include "base/memory.h"

enum { LOOK_MILLISECONDS = 10 };

struct head {
    uint32_t kind, length;
};

union control {
    struct cmsghdr head; /* for its alignment */
    char bytes[CMSG_SPACE(sizeof(int))];
};

void oro_packet_free(struct oro_packet *message)
{
    oro_text_free(&message->bytes);
    *message = (struct oro_packet){.file = -1};
}

void oro_packet_begin(struct oro_packet *message, uint32_t kind)
{
    oro_packet_free(message);
    message->kind = kind;
}

/* ---- Values ---- */

void oro_put_int(struct oro_packet *message, int64_t value)
{
    oro_text_add_bytes(&message->bytes, (const char *)&value, sizeof value);
}

void oro_put_real(struct oro_packet *message, double value)
{
    oro_text_add_bytes(&message->bytes, (const char *)&value, sizeof value);
}

void oro_put_bytes(struct oro_packet *message, const void *bytes, size_t length)
{
    oro_put_int(message, bytes ? (int64_t)length : -1);
    if (!bytes)
        return;
    oro_text_add_bytes(&message->bytes, bytes, length);
    oro_text_add_bytes(&message->bytes, "", 1);
}

void oro_put_text(struct oro_packet *message, const char *text)
{
    oro_put_bytes(message, text, text ? strlen(text) : 0);
}

void oro_put_error(struct oro_packet *message, const struct oro_error *err)
{
    oro_put_int(message, err->code);
    oro_put_text(message, err->text);
    oro_put_text(message, err->document);
    oro_put_int(message, err->line);
    oro_put_text(message, err->node);
}

static const char *take(struct oro_packet *message, size_t length)
{
    if (message->failed || message->bytes.length - message->at < length) {
        message->failed = true;
        return NULL;
    }
    const char *bytes = message->bytes.data + message->at;
    message->at += length;
    return bytes;
}

static void take_value(struct oro_packet *message, void *value, size_t size)
{
    const char *bytes = take(message, size);
    if (bytes)
        memcpy(value, bytes, size);
}

int64_t oro_take_int(struct oro_packet *message)
{
    int64_t value = 0;
    take_value(message, &value, sizeof value);
    return value;
}

double oro_take_real(struct oro_packet *message)
{
    double value = 0;
    take_value(message, &value, sizeof value);
    return value;
}

const char *oro_take_bytes(struct oro_packet *message, size_t *length)
{
    int64_t wanted = oro_take_int(message);
    *length = 0;
    if (wanted < 0 && !message->failed)
        return NULL;
    const char *bytes = take(message, (size_t)wanted + 1);
    if (!bytes || bytes[wanted]) {
        message->failed = true;
        return "";
    }
    *length = (size_t)wanted;
    return bytes;
}

const char *oro_take_text(struct oro_packet *message)
{
    size_t length;
    const char *text = oro_take_bytes(message, &length);
    if (text && strlen(text) != length)
        message->failed = true;
    return text;
}

void oro_take_error(struct oro_packet *message, struct oro_error *err)
{
    int64_t code = oro_take_int(message);
    const char *text = oro_take_text(message), *document = oro_take_text(message);
    int64_t line = oro_take_int(message);
    const char *node = oro_take_text(message);
    bool known = code > ORO_OK && code <= ORO_E_RANKS;
    char shown[sizeof err->text] = "";
    if (text)
        oro_one_line(text, strlen(text), shown, sizeof shown);
    oro_fail(err, known ? (enum oro_code)code : ORO_E_EVALUATE, "%s", shown);
    oro_error_place(err, document, line > 0 && line < INT32_MAX ? (int)line : 0, node);
}

bool oro_packet_is_whole(const struct oro_packet *message)
{
    return !message->failed && message->at == message->bytes.length;
}

/* ---- On the way ---- */

/* False: the waiting is over. */
static bool goes_on(const struct oro_packet_wait *wait)
{
    return !wait || wait->wait(wait->user);
}

static void wait_for(int socket, short events, const struct oro_packet_wait *wait)
{
    struct pollfd asked = {.fd = socket, .events = events};
    poll(&asked, 1, wait ? LOOK_MILLISECONDS : -1);
}

/* Sends what is left of two parts, `file` along with the first byte, unless it is -1. */
static ssize_t send_some(int socket, const struct iovec *parts, size_t done, int file)
{
    struct iovec left[2] = {parts[0], parts[1]};
    struct msghdr message = {.msg_iov = left, .msg_iovlen = 2};
    union control control;
    for (int i = 0; i < 2; i++) {
        size_t gone = done < left[i].iov_len ? done : left[i].iov_len;
        if (gone > 0)
            left[i] = (struct iovec){(char *)left[i].iov_base + gone, left[i].iov_len - gone};
        done -= gone;
    }
    if (file >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(head), &file, sizeof file);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool try_again(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

enum oro_packet_end oro_packet_send(int socket, const struct oro_packet *message,
                                    const struct oro_packet_wait *wait)
{
    if (message->bytes.failed || message->bytes.length > ORO_PACKET_BYTES_MAX)
        return ORO_PACKET_NO_MEMORY;
    struct head head = {message->kind, (uint32_t)message->bytes.length};
    const struct iovec parts[2] = {{&head, sizeof head}, {message->bytes.data, message->bytes.length}};
    for (size_t done = 0; done < sizeof head + message->bytes.length;) {
        ssize_t sent = send_some(socket, parts, done, done == 0 ? message->file : -1);
        if (sent < 0 && !try_again())
            return ORO_PACKET_GONE;
        if (sent < 0 && !goes_on(wait))
            return ORO_PACKET_STOPPED;
        if (sent < 0)
            wait_for(socket, POLLOUT, wait);
        done += sent > 0 ? (size_t)sent : 0;
    }
    return ORO_PACKET_DONE;
}

static void take_file(struct msghdr *message, int *file)
{
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS ||
            head->cmsg_len < CMSG_LEN(sizeof *file))
            continue;
        if (*file >= 0)
            close(*file);
        memcpy(file, CMSG_DATA(head), sizeof *file);
    }
}

static enum oro_packet_end receive_all(int socket, char *bytes, size_t length, int *file,
                                       const struct oro_packet_wait *wait)
{
    for (size_t done = 0; done < length;) {
        struct iovec part = {bytes + done, length - done};
        union control control;
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        /* Also asked where there is something: the other side may send without end. */
        if (!goes_on(wait))
            return ORO_PACKET_STOPPED;
        ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (got == 0 || (got < 0 && !try_again()))
            return ORO_PACKET_GONE;
        if (got < 0) {
            wait_for(socket, POLLIN, wait);
            continue;
        }
        take_file(&message, file);
        done += (size_t)got;
    }
    return ORO_PACKET_DONE;
}

enum oro_packet_end oro_packet_receive(int socket, struct oro_packet *message,
                                       const struct oro_packet_wait *wait)
{
    struct head head;
    oro_packet_begin(message, 0);
    enum oro_packet_end end = receive_all(socket, (char *)&head, sizeof head, &message->file, wait);
    if (end)
        return end;
    if (head.length > ORO_PACKET_BYTES_MAX)
        return ORO_PACKET_GONE;
    message->kind = head.kind;
    void *data = NULL;
    if (!oro_reserve(&data, &message->bytes.capacity, (size_t)head.length + 1, 1))
        return ORO_PACKET_NO_MEMORY;
    message->bytes.data = data;
    message->bytes.length = head.length;
    message->bytes.data[head.length] = '\0';
    return receive_all(socket, message->bytes.data, head.length, &message->file, wait);
}

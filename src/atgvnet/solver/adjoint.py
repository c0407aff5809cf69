"""The gradient of the unrolled iteration, again as one pass over the rows of a tile.

Nothing is kept from the forward pass. The rows are swept once more, what each iteration leaves behind is recorded in
a short history, and 2 N rows behind the front the adjoint iteration follows, last iteration first. Both marches need
no more than neighbouring rows, so the history of iteration k is 2 (N − k) + 2 rows long, whatever the map's height.

Write x for the gradient of the loss by a variable x. Iteration k is undone row by row in two steps. `pull` is the
adjoint of `slope` and `height`, then that of `dual_p` and `dual_q`, J being the derivative of the projection, which
outside of the ball is (1 − p pᵀ) / |p̃|:

    p ← J (p + T w),  w = τv α1 v − τu α1 ∇s;   e = σp α1 T p;   q ← J (q − τv α0 ∇v)

`retire` undoes ū and v̄, mixes them into u and v with the θ of the iteration before, and divides u as that one did:

    ū = −div e,   v̄ = −e − σq α0 div q,   s = u / (1 + τu λ ω)
"""

import numpy as np

from atgvnet.solver.elementary import exp, expm1, log
from atgvnet.solver.sweep import (
    CHANNELS,
    MARGIN,
    OWN,
    P_SHRINK,
    PX,
    PY,
    Q_SHRINK,
    QXX,
    QXY,
    QYX,
    QYY,
    RIGHT,
    TXX,
    TXY,
    TYY,
    U_BAR,
    VX,
    VY,
    WEIGHT,
    X_BAR,
    Y_BAR,
    Array,
    G,
    Tile,
    U,
    kernel,
    stop,
)

__all__ = ["ADJOINT_CHANNELS", "diffuse_back", "finish", "load", "pull_p", "pull_q", "retire"]

(S, GX, GY, U_OLD, X_OLD, Y_OLD, AX, AY, BXX, BXY, BYX, BYY, EX, EY, D_G, D_WEIGHT, D_XX, D_XY, D_YY) = range(
    CHANNELS, CHANNELS + 19
)
ADJOINT_CHANNELS = CHANNELS + 19


@kernel
def load(ring: Array, here: int, at: int, gradient: Array, one: float) -> None:
    """Start the adjoint of one image's row from the gradient by the result."""
    for channel in range(CHANNELS, ADJOINT_CHANNELS):
        for j in range(len(gradient)):
            ring[here, channel, np.uintp(at + j)] = one - one
    for j in range(len(gradient)):
        ring[here, U_OLD, np.uintp(at + j)] = gradient[j]


@kernel
def pull_p(
    ring: Array,
    here: int,
    below: int,
    history: Array,
    now: int,
    old: int,
    under: int,
    total: int,
    step: Array,
    one: float,
) -> tuple[float, float, float]:
    """Through T p into p, and on into ū and v̄; give the gradients by σp α1, τu α1 and τv α1."""
    zero = one - one
    rate, smooth, couple = step[0], step[2], step[5]
    by_rate, by_smooth, by_couple = zero, zero, zero
    for j in range(total):
        i = MARGIN + j
        txx, txy, tyy, right, own = (
            ring[here, TXX, i],
            ring[here, TXY, i],
            ring[here, TYY, i],
            ring[-1, RIGHT, i],
            ring[-1, OWN, i],
        )
        px, py, shrink = history[now, PX, i], history[now, PY, i], history[now, P_SHRINK, i]
        rise_x, rise_y = right * (ring[here, S, i + 1] - ring[here, S, i]), ring[below, S, i] - ring[here, S, i]
        tpx, tpy = txx * px + txy * py, txy * px + tyy * py
        by_smooth -= own * (rise_x * tpx + rise_y * tpy)
        by_couple += own * (ring[here, GX, i] * tpx + ring[here, GY, i] * tpy)
        wx, wy = couple * ring[here, GX, i] - smooth * rise_x, couple * ring[here, GY, i] - smooth * rise_y
        ax, ay = ring[here, AX, i] + txx * wx + txy * wy, ring[here, AY, i] + txy * wx + tyy * wy
        radial = ax * px + ay * py if shrink < one else zero
        ax, ay = shrink * (ax - radial * px), shrink * (ay - radial * py)
        ex = right * (history[old, U_BAR, i + 1] - history[old, U_BAR, i]) - history[old, X_BAR, i]
        ey = history[under, U_BAR, i] - history[old, U_BAR, i] - history[old, Y_BAR, i]
        fx, fy = txx * ax + txy * ay, txy * ax + tyy * ay
        by_rate += own * (fx * ex + fy * ey)
        ring[here, AX, i], ring[here, AY, i] = ax, ay
        ring[here, EX, i], ring[here, EY, i] = rate * fx, rate * fy
        ring[here, D_XX, i] += wx * px + rate * ax * ex
        ring[here, D_XY, i] += wx * py + wy * px + rate * (ax * ey + ay * ex)
        ring[here, D_YY, i] += wy * py + rate * ay * ey
    return by_rate, by_smooth, by_couple


@kernel
def pull_q(
    ring: Array,
    here: int,
    below: int,
    history: Array,
    now: int,
    old: int,
    under: int,
    total: int,
    step: Array,
    one: float,
) -> tuple[float, float]:
    """Through q into v̄; give the gradients by σq α0 and τv α0."""
    zero = one - one
    smooth = step[4]
    by_rate, by_smooth = zero, zero
    for j in range(total):
        i = MARGIN + j
        right, own = ring[-1, RIGHT, i], ring[-1, OWN, i]
        qxx, qxy, qyx, qyy = history[now, QXX, i], history[now, QXY, i], history[now, QYX, i], history[now, QYY, i]
        gx, gy = ring[here, GX, i], ring[here, GY, i]
        rise_xx, rise_xy = right * (ring[here, GX, i + 1] - gx), ring[below, GX, i] - gx
        rise_yx, rise_yy = right * (ring[here, GY, i + 1] - gy), ring[below, GY, i] - gy
        by_smooth -= own * (rise_xx * qxx + rise_xy * qxy + rise_yx * qyx + rise_yy * qyy)
        bxx, bxy = ring[here, BXX, i] - smooth * rise_xx, ring[here, BXY, i] - smooth * rise_xy
        byx, byy = ring[here, BYX, i] - smooth * rise_yx, ring[here, BYY, i] - smooth * rise_yy
        shrink = history[now, Q_SHRINK, i]
        radial = bxx * qxx + bxy * qxy + byx * qyx + byy * qyy if shrink < one else zero
        bxx, bxy = shrink * (bxx - radial * qxx), shrink * (bxy - radial * qxy)
        byx, byy = shrink * (byx - radial * qyx), shrink * (byy - radial * qyy)
        x, y = history[old, X_BAR, i], history[old, Y_BAR, i]
        by_x = bxx * right * (history[old, X_BAR, i + 1] - x) + bxy * (history[under, X_BAR, i] - x)
        by_y = byx * right * (history[old, Y_BAR, i + 1] - y) + byy * (history[under, Y_BAR, i] - y)
        by_rate += own * (by_x + by_y)
        ring[here, BXX, i], ring[here, BXY, i], ring[here, BYX, i], ring[here, BYY, i] = bxx, bxy, byx, byy
    return by_rate, by_smooth


@kernel
def retire_v(
    ring: Array,
    here: int,
    above: int,
    history: Array,
    now: int,
    old: int,
    total: int,
    rate: float,
    theta: float,
    one: float,
) -> float:
    """Out of v̄ into v and the v before; give the gradient by θ."""
    by_theta = one - one
    for j in range(total):
        i = MARGIN + j
        x = ring[here, BXX, i] - ring[here, BXX, i - 1] + ring[here, BXY, i] - ring[above, BXY, i]
        y = ring[here, BYX, i] - ring[here, BYX, i - 1] + ring[here, BYY, i] - ring[above, BYY, i]
        x, y = -ring[here, EX, i] - rate * x, -ring[here, EY, i] - rate * y
        change_x, change_y = history[now, VX, i] - history[old, VX, i], history[now, VY, i] - history[old, VY, i]
        by_theta += ring[-1, OWN, i] * (x * change_x + y * change_y)
        gx, gy = ring[here, X_OLD, i] + x + theta * x, ring[here, Y_OLD, i] + y + theta * y
        ring[here, GX, i], ring[here, GY, i] = gx, gy
        ring[here, X_OLD, i], ring[here, Y_OLD, i] = gx - theta * x, gy - theta * y
    return by_theta


@kernel
def retire_u(
    ring: Array,
    here: int,
    above: int,
    history: Array,
    now: int,
    old: int,
    total: int,
    data: float,
    theta: float,
    one: float,
) -> tuple[float, float]:
    """Out of ū into u, the u before, g and ω; give the gradients by τu λ and θ."""
    by_data = by_theta = one - one
    for j in range(total):
        i = MARGIN + j
        bar = ring[above, EY, i] - ring[here, EY, i] + ring[here, EX, i - 1] - ring[here, EX, i]
        u, weight, own = history[now, U, i], ring[here, WEIGHT, i], ring[-1, OWN, i]
        by_theta += own * bar * (u - history[old, U, i])
        scaled = (ring[here, U_OLD, i] + bar + theta * bar) / (one + data * weight)
        pulled = scaled * (ring[here, G, i] - u)
        by_data += own * weight * pulled
        ring[here, D_WEIGHT, i] += data * pulled
        ring[here, D_G, i] += data * weight * scaled
        ring[here, S, i] = scaled
        ring[here, U_OLD, i] = scaled - theta * bar
    return by_data, by_theta


@kernel
def finish(ring: Array, here: int, above: int, at: int, d_g: Array, d_weight: Array) -> None:
    """Write the gradients by g, which u and ū start from, and by ω."""
    for j in range(len(d_g)):
        i = np.uintp(at + j)
        bar = ring[above, EY, i] - ring[here, EY, i] + ring[here, EX, i - np.uintp(1)] - ring[here, EX, i]
        d_g[j] = ring[here, D_G, i] + ring[here, U_OLD, i] + bar
        d_weight[j] = ring[here, D_WEIGHT, i]


@kernel
def diffuse_back(
    ring: Array, here: int, at: int, hx: Array, hy: Array, d_hx: Array, d_hy: Array, form: Array, one: float
) -> tuple[float, float, float]:
    """Undo `diffuse`; give the gradients by the scale of h, β and γ."""
    scale, beta, half_gamma, floor = form[0], form[1], form[2], form[3]
    zero, half = one - one, form[4]
    by_scale, by_beta, by_gamma = zero, zero, zero
    for j in range(len(hx)):
        i, x, y = np.uintp(at + j), scale * hx[j], scale * hy[j]
        d_xx, d_xy, d_yy = ring[here, D_XX, i], ring[here, D_XY, i], ring[here, D_YY, i]
        length = x * x + y * y
        squared = max(length, floor)
        logarithm = log(squared)
        power = exp(half_gamma * logarithm)
        decay = expm1(-beta * power)
        factor = decay / squared
        by_factor = d_xx * x * x + d_xy * x * y + d_yy * y * y
        by_power = -by_factor * (decay + one) / squared
        by_beta += by_power * power
        by_gamma += by_power * beta * power * logarithm * half
        by_length = (
            by_power * beta * half_gamma * power / squared - by_factor * factor / squared if length > floor else zero
        )
        dx = factor * (d_xx * x + d_xx * x + d_xy * y) + by_length * (x + x)
        dy = factor * (d_yy * y + d_yy * y + d_xy * x) + by_length * (y + y)
        by_scale += dx * hx[j] + dy * hy[j]
        d_hx[j], d_hy[j] = scale * dx, scale * dy
    return by_scale, by_beta, by_gamma


@kernel
def retire(
    ring: Array, here: int, above: int, last: bool, tile: Tile, total: int,
    history: Array, now: int, old: int, rate: float, step: Array, one: float,
) -> tuple[float, float]:  # fmt: skip
    """Undo the over-relaxation on one row, then the division of the iteration before; by τu λ and θ of that one."""
    by_theta = retire_v(ring, here, above, history, now, old, total, rate, step[6], one)
    stop(ring, here, tile, EX, EY, last)
    by_data, more = retire_u(ring, here, above, history, now, old, total, step[3], step[6], one)
    return by_data, by_theta + more
